"""The library: facts in, decisions, reasons and patches out. It knows no training policy."""
