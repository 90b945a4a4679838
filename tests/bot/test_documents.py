"""Links of a sign-off, and what the recipes behind them document."""

from __future__ import annotations

import pytest

from verifier.model.pull import Documented, RecipeEvidence
from verifier.policy import DEFAULT
from verifier.signoff.documents import documented, hardware_in
from verifier.signoff.links import Link, links_of, recipe_link


def links(text: str) -> list[str]:
    return [link.url for link in links_of([(1, text)])]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://a.example/x.", ["https://a.example/x"]),
        ("[a](https://a.example/x)", ["https://a.example/x"]),
        ("[https://a.example/x](https://a.example/x)", ["https://a.example/x"]),
        ("(https://a.example/x_(y))", ["https://a.example/x_(y)"]),
        ("<https://a.example/x>", ["https://a.example/x"]),
        ("`https://a.example/x`", ["https://a.example/x"]),
        ("**https://a.example/x**", ["https://a.example/x"]),
        ("配方：https://a.example/x，谢谢", ["https://a.example/x"]),
        ("a.example/x", []),
    ],
)
def test_links(text: str, found: list[str]) -> None:
    assert links(text) == found


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://github.com/vllm-project/recipes/pull/12", "pull"),
        ("https://github.com/VLLM-Project/Recipes/pull/12/files#x", "pull"),
        ("https://www.github.com/sgl-project/sglang/pull/3", "pull"),
        ("https://github.com/vllm-project/recipes/tree/main/a.md", "branch"),
        ("https://github.com/vllm-project/recipes/pull/x", "branch"),
        ("https://github.com/vllm-project/vllm/pull/12", None),
        ("https://github.com.evil.example/vllm-project/recipes/pull/12", None),
        ("https://vllm-project@evil.example/vllm-project/recipes/pull/12", None),
        ("https://github.com:444/vllm-project/recipes/pull/12", None),
        ("https://recipes.vllm.ai/deepseek-ai/DeepSeek-V4-Pro", "page"),
        ("https://recipes.vllm.ai.evil.example/a", None),
        ("https://docs.sglang.io/cookbook/autoregressive/GLM/GLM-5.2", "page"),
        ("https://docs.sglang.io/other", None),
        ("https://[", None),
    ],
)
def test_what_links_are_for(url: str, kind: str | None) -> None:
    found = recipe_link(Link(url, 1))
    assert (found.kind if found else None) == kind


def shown(path: str, text: str, state: str = "merged") -> Documented:
    recipe = RecipeEvidence(url="u", kind="pull", state=state, texts={path: text})  # type: ignore[arg-type]
    return documented((recipe,), DEFAULT)


@pytest.mark.parametrize(
    ("text", "skus"),
    [
        ("B200 (8 GPUs)", {"b200"}),
        ("GB200 NVL72", {"gb200"}),
        ("Hopper", {"h100", "h200"}),
        ("MI355X", {"mi355x"}),
        ("MI300 and MI325X", {"mi300x", "mi325x"}),
        ("AMD MI355X", {"mi355x"}),
        ("Launch", set()),
    ],
)
def test_hardware(text: str, skus: set[str]) -> None:
    assert hardware_in(text, DEFAULT) == skus


def test_blocks_belong_to_the_hardware_above_them() -> None:
    text = """\
# Model

```bash
vllm serve org/Model --tensor-parallel-size 2
```

## B200

### Throughput

```shell
export X=1
vllm serve org/Model \\
  --tensor-parallel-size 4
```

```python
subprocess.run("vllm serve org/Model --tensor-parallel-size 99")
```

## AMD

<Tab title="MI300X">

```console
$ vllm serve org/Model -tp 8
INFO ready
```
</Tab>
"""
    found = shown("a.mdx", text).launches
    sizes = [(d.launch.parallelism["tensor"].value, set(d.hardware), d.line) for d in found]
    assert [(str(size), skus, line) for size, skus, line in sizes] == [
        ("2", set(), 4),
        ("4", {"b200"}, 13),
        ("8", {"mi300x"}, 26),
    ]


def test_what_is_not_merged_documents_nothing() -> None:
    assert shown("a.md", "```bash\nvllm serve a\n```", "open").launches == ()


def test_structured_recipes() -> None:
    text = """\
meta:
  hardware: {h200: verified, b200: verified, mi300x: unsupported}
model:
  model_id: org/Model
  base_args: ["--kv-cache-dtype", "fp8"]
variants:
  default: {}
  small:
    model_id: org/Model-FP4
    hardware_overrides:
      blackwell: {extra_args: ["--moe-backend", "trtllm"]}
hardware_overrides:
  hopper: {extra_args: ["--attention-backend", "FLASH_ATTN"]}
compatible_strategies: [single_node_tep, multi_node_dep]
"""
    found = shown("models/org/Model.yaml", text)
    assert found.problems == ()
    by_place = {(d.label.split(",")[0], *d.hardware): d for d in found.launches}
    assert set(by_place) == {
        ("default", "h200"),
        ("default", "b200"),
        ("small", "h200"),
        ("small", "b200"),
    }
    one = by_place["small", "b200"]
    assert one.launch.model is not None
    assert one.launch.model.known == "org/Model-FP4"
    assert "moe_backend" in one.launch.kernels
    assert one.free == {"tensor"}
    assert "moe_backend" not in by_place["small", "h200"].launch.kernels
    assert "attention_backend" in by_place["default", "h200"].launch.kernels


def test_cells_of_a_cookbook() -> None:
    text = """\
// A configuration.
export const config = {
  modelNames: { "default|fp8": "org/Model-FP8", /* none */ },
  curl: `curl ${host}`,
  wrap: (x) => { return [x, "}"]; },
  cells: [
    {
      match: { hw: "h200", variant: "default", quant: "fp8", strategy: "low", nodes: "single" },
      env: ["SGLANG_X=1"],
      flags: ["--model-path {{MODEL_NAME}}", "--tp 8", "--host {{HOST_IP}}", "--port {{PORT}}"],
    },
    {
      match: { hw: "h200", variant: "default", quant: "fp8", strategy: "high", nodes: "single" },
      env: [],
      flags: ['--model-path {{MODEL_NAME}}', "--tp 8", "--dp 8", "--enable-dp-attention",],
    },
    { match: { hw: "h200", nodes: "multi" }, flags: [] },
  ],
};
"""
    found = shown("docs_new/src/snippets/configs/org/model.jsx", text)
    assert found.problems == ()
    low, high = found.launches
    assert low.launch.model is not None
    assert low.launch.model.known == "org/Model-FP8"
    assert low.hardware == {"h200"}
    assert str(low.launch.parallelism["tensor"].value) == "8"
    assert "attention_dp" not in low.launch.parallelism
    assert "attention_dp" in high.launch.parallelism


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.jsx", "const cmd = `vllm serve ${model}`"),
        ("a.jsx", "const config = { cells: build(), modelNames: {} }"),
        ("a.jsx", "const config = { cells: [ { match: m } ], modelNames: {} }"),
        ("a.jsx", "const config = { cells: ["),
        ("a.jsx", "const config = " + "[" * 5000),
        ("a.yaml", "a: ["),
        ("a.yaml", "[" * 5000),
    ],
)
def test_what_cannot_be_read_is_named(path: str, text: str) -> None:
    found = shown(path, text)
    assert found.launches == ()
    assert len(found.problems) == 1


@pytest.mark.parametrize("text", ["```bash\n" + "$(" * 5000, "vllm serve", "```\n" * 999, "\0"])
def test_odd_documents_document_nothing(text: str) -> None:
    assert shown("a.md", text).launches == ()
