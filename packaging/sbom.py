"""Writes a software bill of materials (CycloneDX 1.5, JSON) of the command to standard output.

In: `cargo metadata` and `Cargo.lock`. Out: every crate that the command with these features is built from, with its
version, licence, package URL and checksum, and which crate depends on which. Crates that only tests or build scripts
of tests use are left out.
"""

import argparse
import json
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def this_machine():
    about = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    return next(line.split()[1] for line in about.splitlines() if line.startswith("host:"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--features", default="", help="features of the command, separated by commas")
    arguments.add_argument("--target", help="what the command is built for [default: this machine]")
    given = arguments.parse_args()
    features = given.features
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", str(ROOT / "apps/cli/Cargo.toml")]
    if features:
        command += ["--features", features]
    command += ["--filter-platform", given.target or this_machine()]
    metadata = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    checksums = {(one["name"], one["version"]): one.get("checksum") for one in lock["package"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    top = next(id for id, package in packages.items() if package["name"] == "copal-cli")

    # what the command is made of: normal and build dependencies, not those of tests
    reached, waiting, dependencies = set(), [top], []
    while waiting:
        current = waiting.pop()
        if current in reached:
            continue
        reached.add(current)
        used = [
            one["pkg"]
            for one in nodes[current]["deps"]
            if any(kind["kind"] in (None, "build") for kind in one["dep_kinds"])
        ]
        waiting += used
        dependencies.append(
            {"ref": reference(packages[current]), "dependsOn": sorted({reference(packages[one]) for one in used})}
        )

    def component(package):
        entry = {
            "type": "library",
            "bom-ref": reference(package),
            "name": package["name"],
            "version": package["version"],
            "purl": reference(package),
        }
        if package.get("license"):
            entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if package.get("description"):
            entry["description"] = " ".join(package["description"].split())
        checksum = checksums.get((package["name"], package["version"]))
        if checksum:
            entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return entry

    command_component = component(packages[top]) | {"type": "application"}
    components = sorted(
        (component(packages[id]) for id in reached if id != top), key=lambda entry: (entry["name"], entry["version"])
    )
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": command_component},
        "components": components,
        "dependencies": sorted(dependencies, key=lambda entry: entry["ref"]),
    }
    print(json.dumps(document, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
