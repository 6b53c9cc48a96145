"""Drop-in replacements for the interfaces of other packages.

| module | replaces |
|---|---|
| `pagemeter.compat.jiwer` | jiwer: `cer`, `wer`, `process_words`, `visualize_alignment` and its transforms |
| `pagemeter.compat.huggingface` | the metrics of Hugging Face evaluate: `compute`, `add`, `add_batch` |
| `pagemeter.compat.torchmetrics` | the text metrics of torchmetrics, also in distributed training |

Nothing here is imported by `import pagemeter`.
"""
