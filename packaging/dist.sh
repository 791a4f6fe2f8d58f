#!/bin/sh
# Makes what is published, in target/dist-packages: a release archive with binary, manual pages and completions, a
# Debian package, a software bill of materials (CycloneDX) and checksums.
#
#   packaging/dist.sh                    builds the binary first
#   COPAL_BINARY=FILE packaging/dist.sh  packs this one
#
# The binary is static. It is built for musl if that target is installed (rustup target add
# x86_64-unknown-linux-musl, and musl-gcc: apt install musl-tools), else for glibc with a static C library.
set -eu
cd "$(dirname "$0")/.."

features=parquet,postgres,xlsx,render,serve,mcp
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
host=$(rustc -vV | sed -n 's/^host: //p')
musl=$(echo "$host" | sed 's/-gnu$/-musl/')
if [ -n "${COPAL_BINARY:-}" ]; then
    target=$host
    binary=$COPAL_BINARY
elif [ -d "$(rustc --print target-libdir --target "$musl")" ] && command -v musl-gcc >/dev/null; then
    target=$musl
    cargo build --profile dist --target "$target" --features "$features" -p copal-cli --locked
    binary=target/$target/dist/copal
else
    echo "note: no musl target or no musl-gcc; linking glibc statically" >&2
    target=$host
    RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static" \
        cargo build --profile dist --target "$target" --features "$features" -p copal-cli --locked
    binary=target/$target/dist/copal
fi

name=copal-$version-$target
out=target/dist-packages
rm -rf "$out"
mkdir -p "$out/$name/man" "$out/$name/completions"
# the packages of one commit are the same, whenever they are made
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}

install -m 755 "$binary" "$out/$name/copal"
copal=$PWD/$out/$name/copal
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$out/$name/"
"$copal" manual "$out/$name/man"
"$copal" completions bash > "$out/$name/completions/copal.bash"
"$copal" completions zsh > "$out/$name/completions/_copal"
"$copal" completions fish > "$out/$name/completions/copal.fish"
python3 packaging/sbom.py --features "$features" --target "$target" > "$out/$name/sbom.cdx.json"
cp "$out/$name/sbom.cdx.json" "$out/$name.cdx.json"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$date" -C "$out" -cf - "$name" \
    | gzip -n -9 > "$out/$name.tar.gz"

# Debian
if command -v dpkg-deb >/dev/null; then
    root=$out/deb
    architecture=$(dpkg --print-architecture)
    mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/share/man/man1" "$root/usr/share/doc/copal" \
        "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" \
        "$root/usr/share/fish/vendor_completions.d"
    install -m 755 "$out/$name/copal" "$root/usr/bin/copal"
    for page in "$out/$name"/man/*.1; do
        gzip -n -9 -c "$page" > "$root/usr/share/man/man1/$(basename "$page").gz"
    done
    cp "$out/$name/completions/copal.bash" "$root/usr/share/bash-completion/completions/copal"
    cp "$out/$name/completions/_copal" "$root/usr/share/zsh/vendor-completions/_copal"
    cp "$out/$name/completions/copal.fish" "$root/usr/share/fish/vendor_completions.d/copal.fish"
    cat LICENSE-MIT LICENSE-APACHE > "$root/usr/share/doc/copal/copyright"
    gzip -n -9 -c CHANGELOG.md > "$root/usr/share/doc/copal/changelog.gz"
    # the binary is static: it depends on nothing; one from COPAL_BINARY may need the C library
    depends=
    if ldd "$binary" 2>/dev/null | grep -q "=>"; then depends="Depends: libc6, libgcc-s1"; fi
    {
        echo "Package: copal"
        echo "Version: $version"
        echo "Architecture: $architecture"
        echo "Maintainer: the copal developers <copal@copal.invalid>"
        echo "Installed-Size: $(du -sk "$root/usr" | cut -f1)"
        echo "Section: utils"
        echo "Priority: optional"
        if [ -n "$depends" ]; then echo "$depends"; fi
        echo "Suggests: chromium"
        echo "Description: turn web pages into tables"
        echo " Copal finds the list on a web page, splits it into records, and lines their fields up in"
        echo " named, typed columns. It needs no selectors and no training for the site."
    } > "$root/DEBIAN/control"
    SOURCE_DATE_EPOCH=$date dpkg-deb -Zgzip --root-owner-group --build "$root" "$out/copal_${version}_$architecture.deb" >/dev/null
    rm -rf "$root"
else
    echo "note: dpkg-deb is missing; no Debian package" >&2
fi

# what is published must work
"$copal" extract examples/shop.html --format csv | grep -q 'Oak bedside table'
(cd "$out" && sha256sum ./*.tar.gz ./*.cdx.json $(ls ./*.deb 2>/dev/null) > SHA256SUMS)
echo "$out:" && cat "$out/SHA256SUMS"
