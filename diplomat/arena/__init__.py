"""Many games at once: balance figures and benchmarks."""
