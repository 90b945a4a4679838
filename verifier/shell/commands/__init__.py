"""Models of commands whose output or effect is a pure function of their input."""
