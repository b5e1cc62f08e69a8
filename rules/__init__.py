"""YAML rules that ship with trainpolicy; no code lives here."""
