"""The command line: parse, call one engine function, render, exit."""
