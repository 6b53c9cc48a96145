"""Readers for the output of vision-language models and layout pipelines, and for benchmarks of them."""
