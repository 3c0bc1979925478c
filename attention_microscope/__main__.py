"""``python -m attention_microscope verify FOLDER``: a model beside transformers, by layer."""

import argparse
import sys
from pathlib import Path

from core.errors import InputError
from core.models.verify import CLOSE, TEXT, verify


def main() -> int:
    """Print the differences of each layer; 1 if they are more than rounding."""
    parser = argparse.ArgumentParser(prog="python -m attention_microscope")
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("verify", help="compare a model by layer with transformers")
    command.add_argument("folder", type=Path, help="the folder of a model, with its config.json")
    command.add_argument("--text", default=TEXT, help="what it reads, if it reads text")
    given = parser.parse_args()
    print("layer  max |Δ| of hidden states, of weights")
    most = 0.0
    try:
        for layer, (hidden, weights) in enumerate(verify(given.folder, given.text), start=1):
            print(f"{layer:5}  {hidden:.1e}  {weights:.1e}", flush=True)
            most = max(most, hidden, weights)
    except (InputError, ImportError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"  all  {most:.1e}: {'the same but for rounding' if most < CLOSE else 'not the same'}")
    return 0 if most < CLOSE else 1


if __name__ == "__main__":
    sys.exit(main())
