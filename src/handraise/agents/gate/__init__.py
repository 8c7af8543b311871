"""The gate: a person reviews calls before they run, and what runs is what was approved.

`middleware` has LangChain's hooks and nothing else. Behind the model it hands a turn to `turn_review` (batched mode),
at the door of each tool the call to `call_review`; both ask through `asking` and read the answer by `answers`. What was
approved runs in `execution`.
"""
