"""`python -m red7sim` is the `red7sim` command."""

from red7sim.cli.app import main

if __name__ == "__main__":
    main()
