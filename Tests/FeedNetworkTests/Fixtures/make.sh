#!/bin/sh
# How the certificates here were made: an authority and its servers for 100 years, one that has expired, one of an
# authority that nobody knows, and one of a client that signs itself. They protect nothing. Needs openssl 3.
set -eu
cd "$(dirname "$0")"

# certificate NAME AUTHORITY EXTENSIONS START END; an authority of its own where both names are the same
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$1"
  printf "$3" > "$1.ext"
  : > index.txt
  self=; [ "$1" != "$2" ] || self=-selfsign
  openssl ca -batch $self -config /dev/stdin -in "$1.csr" -out "$1.pem" -extfile "$1.ext" -startdate "$4" -enddate "$5" <<END
[ca]
default_ca = it
[it]
dir = .
new_certs_dir = .
database = index.txt
rand_serial = yes
default_md = sha256
certificate = $2.pem
private_key = $2.key
policy = any
unique_subject = no
[any]
commonName = supplied
END
  openssl x509 -in "$1.pem" -out "$1.pem"
}

start=20200101000000Z
end=21200101000000Z
authority='basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n'
here='extendedKeyUsage=serverAuth\nsubjectAltName=DNS:localhost,DNS:feed.test,IP:127.0.0.1,IP:::1,IP:192.0.2.1\n'
certificate ca ca "$authority" $start $end
certificate stranger stranger "$authority" $start $end
certificate good ca "$here" $start $end
certificate elsewhere ca 'extendedKeyUsage=serverAuth\nsubjectAltName=DNS:elsewhere.test\n' $start $end
certificate expired ca "$here" $start 20210101000000Z
certificate unknown stranger "$here" $start $end
certificate client client 'extendedKeyUsage=clientAuth\n' $start $end
rm -f ./*.csr ./*.ext ./*.old index.txt* ca.key stranger.key stranger.pem [0-9A-F]*.pem
