"""Records what PyTorch computes, for the tests of src/train: tests/golden/README.md.

    pip install torch==2.13.0 safetensors
    python tests/golden/training/record.py

Everything is float64 and drawn from a seed, so that a second run writes the same numbers.
"""

from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

HERE = Path(__file__).parent


def write(name, tensors, **metadata):
    texts = {key: str(value) for key, value in metadata.items()} | {"torch": torch.__version__}
    tensors = {key: value.detach().clone().contiguous() for key, value in tensors.items()}
    save_file(tensors, HERE / f"{name}.safetensors", texts)


# --- optimisers -----------------------------------------------------------------------------------

STEPS, SIZE = 50, 37
LR, BETAS, EPS, DECAY, MOMENTUM = 1e-2, (0.9, 0.98), 1e-8, 0.1, 0.8


class Lion(torch.optim.Optimizer):
    """Chen et al. 2023, arXiv 2302.06675, algorithm 2; torch.optim has none."""

    def __init__(self, params, lr, betas, weight_decay):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            (b1, b2), lr, decay = group["betas"], group["lr"], group["weight_decay"]
            for w in group["params"]:
                m = self.state[w].setdefault("m", torch.zeros_like(w))
                update = torch.sign(b1 * m + (1 - b1) * w.grad) + decay * w
                w -= lr * update
                m.copy_(b2 * m + (1 - b2) * w.grad)


class GiAdam(torch.optim.Optimizer):
    """Adam with v_0 = g_0^2: Kalra & Barkeshli 2024, arXiv 2406.09405. torch.optim has none."""

    def __init__(self, params, lr, betas, eps, weight_decay):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            (b1, b2), lr, decay = group["betas"], group["lr"], group["weight_decay"]
            for w in group["params"]:
                g = w.grad + decay * w
                state = self.state[w]
                if not state:
                    state.update(t=0, m=torch.zeros_like(w), v=g * g)
                state["t"] += 1
                state["m"] = b1 * state["m"] + (1 - b1) * g
                state["v"] = b2 * state["v"] + (1 - b2) * g * g
                m_hat = state["m"] / (1 - b1 ** state["t"])
                v_hat = state["v"] / (1 - b2 ** state["t"])
                w -= lr * m_hat / (v_hat.sqrt() + group["eps"])


OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=LR, weight_decay=DECAY),
    "momentum": lambda p: torch.optim.SGD(p, lr=LR, momentum=MOMENTUM, weight_decay=DECAY),
    "adam": lambda p: torch.optim.Adam(p, lr=LR, betas=BETAS, eps=EPS, weight_decay=DECAY),
    "adamw": lambda p: torch.optim.AdamW(p, lr=LR, betas=BETAS, eps=EPS, weight_decay=DECAY),
    "radam": lambda p: torch.optim.RAdam(p, lr=LR, betas=BETAS, eps=EPS, weight_decay=DECAY),
    "lion": lambda p: Lion(p, lr=LR, betas=BETAS, weight_decay=DECAY),
    "gi_adam": lambda p: GiAdam(p, lr=LR, betas=BETAS, eps=EPS, weight_decay=DECAY),
}


def record_optimizers():
    torch.manual_seed(1)
    initial = torch.randn(SIZE)
    gradients = torch.randn(STEPS, SIZE) * torch.logspace(-4, 1, SIZE)  # of all magnitudes
    tensors = {"initial": initial, "gradients": gradients}
    for name, make in OPTIMIZERS.items():
        w = initial.clone().requires_grad_()
        optimizer = make([w])
        trace = []
        for gradient in gradients:
            w.grad = gradient.clone()
            optimizer.step()
            trace.append(w.detach().clone())
        tensors[name] = torch.stack(trace)
    write("optimizers", tensors, lr=LR, beta1=BETAS[0], beta2=BETAS[1], eps=EPS,
          weight_decay=DECAY, momentum=MOMENTUM)


# --- whole models ---------------------------------------------------------------------------------

BLOCKS, WIDTH, HEADS, FF, VOCABULARY, TOKENS = 2, 16, 2, 32, 8, 6
BATCH, UPDATES, RATE = 4, 20, 1e-2
IGNORED = -100


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x, memory=None, causal=False):
        source = x if memory is None else memory
        split = lambda y: y.unflatten(-1, (HEADS, -1)).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(source)), split(self.v(source))
        scores = q @ k.mT / (WIDTH // HEADS) ** 0.5
        if causal:
            later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(later, -torch.inf)
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(WIDTH, FF), nn.Linear(FF, WIDTH)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


class Block(nn.Module):
    """Self-attention, cross-attention where there is a memory, feed-forward; a norm each."""

    def __init__(self, pre, cross):
        super().__init__()
        self.pre = pre
        self.attn, self.ff = Attention(), FeedForward()
        self.cross = Attention() if cross else None
        for branch in (self.attn, self.cross, self.ff):
            if branch is not None:
                branch.norm = nn.LayerNorm(WIDTH)

    def residual(self, x, branch, apply):
        return x + apply(branch.norm(x)) if self.pre else branch.norm(x + apply(x))

    def forward(self, x, causal, memory):
        x = self.residual(x, self.attn, lambda y: self.attn(y, causal=causal))
        if self.cross is not None:
            x = self.residual(x, self.cross, lambda y: self.cross(y, memory))
        return self.residual(x, self.ff, self.ff)


class Side(nn.Module):
    """Embedding, blocks and, with Pre-LN, a final norm."""

    def __init__(self, pre, causal, cross=False):
        super().__init__()
        self.causal = causal
        self.embedding = nn.ParameterDict({
            "token": torch.empty(VOCABULARY, WIDTH), "position": torch.empty(TOKENS, WIDTH)})
        self.blocks = nn.ModuleList(Block(pre, cross) for _ in range(BLOCKS))
        if pre:
            self.final_norm = nn.LayerNorm(WIDTH)

    def forward(self, ids, memory=None):
        x = self.embedding["token"][ids] + self.embedding["position"][: ids.shape[1]]
        for block in self.blocks:
            x = block(x, self.causal, memory)
        return self.final_norm(x) if hasattr(self, "final_norm") else x


class Stack(Side):
    """An encoder, or a causal decoder, and its head."""

    def __init__(self, pre, causal):
        super().__init__(pre, causal)
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, ids):
        return self.head(super().forward(ids))


class EncoderDecoder(nn.Module):
    """The decoder sees the encoder's output through cross-attention."""

    def __init__(self, pre):
        super().__init__()
        self.encoder = Side(pre, causal=False)
        self.decoder = Side(pre, causal=True, cross=True)
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, sources, ids):
        return self.head(self.decoder(ids, self.encoder(sources)))


def fill(model):
    """Random weights of the usual sizes; norms and biases too, for at 1 and 0 they hide mistakes."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.normal_(std=0.3 if parameter.dim() > 1 else 0.1)
            if name.endswith("norm.weight"):
                parameter.add_(1)


def record_training(name, model, inputs, **metadata):
    """`inputs`: the ids of each argument of the model, [UPDATES, BATCH, TOKENS]."""
    fill(model)
    targets = torch.randint(VOCABULARY, (UPDATES, BATCH, TOKENS))
    targets[:, :, 0] = IGNORED
    tensors = {f"initial/{key}": value for key, value in model.named_parameters()}
    tensors = {key: value.detach().clone() for key, value in tensors.items()}
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE, betas=BETAS, eps=EPS)
    losses = []
    for step in range(UPDATES):
        logits = model(*(ids[step] for ids in inputs))
        loss = F.cross_entropy(logits.flatten(0, 1), targets[step].flatten(), ignore_index=IGNORED)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    tensors |= {f"final/{key}": value for key, value in model.named_parameters()}
    tensors |= {"losses": torch.stack(losses), "targets": targets}
    tensors |= dict(zip(("inputs", "sources"), reversed(inputs)))
    write(name, tensors, blocks=BLOCKS, width=WIDTH, heads=HEADS, ff=FF, vocabulary=VOCABULARY,
          tokens=TOKENS, lr=RATE, beta1=BETAS[0], beta2=BETAS[1], eps=EPS, **metadata)


def draw_ids():
    return torch.randint(VOCABULARY, (UPDATES, BATCH, TOKENS))


def record_models():
    for block, pre in (("post_ln", False), ("pre_ln", True)):
        for kind, causal in (("encoder", False), ("decoder", True)):
            torch.manual_seed(2)
            record_training(f"{block}_{kind}", Stack(pre, causal), [draw_ids()], block=block,
                            kind=kind)
        torch.manual_seed(2)
        record_training(f"{block}_encoder_decoder", EncoderDecoder(pre), [draw_ids(), draw_ids()],
                        block=block, kind="encoder_decoder")


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    record_optimizers()
    record_models()
