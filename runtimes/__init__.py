"""Runtime manifests that ship with trainpolicy; no code lives here."""
