// Filters and search, on what already stands in the page. Without it everything is there, and nothing is hidden.
(() => {
  "use strict";

  const form = document.getElementById("filters");
  const timeline = document.getElementById("timeline");
  const count = document.getElementById("count");
  const nothing = document.getElementById("nothing");
  const waiting = timeline.querySelector(".waiting > details");
  const groups = [...timeline.querySelectorAll(".group")].map((group) => ({
    group,
    memories: [...group.querySelectorAll(".memory")],
  }));

  // As `afterword list WORD` looks for words: width and case make no difference.
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const texts = new WeakMap();
  const text = (memory) => {
    if (!texts.has(memory)) texts.set(memory, fold(memory.textContent));
    return texts.get(memory);
  };

  const wanted = (words) => {
    const project = form.elements.project?.value ?? "";
    const kind = form.elements.kind.value;
    const state = form.elements.state.value;
    return (memory) =>
      (state === "all" || memory.dataset.state === state) &&
      (kind === "all" || memory.dataset.kind === kind) &&
      (project === "" || memory.dataset.project === project) &&
      words.every((word) => text(memory).includes(word));
  };

  const apply = () => {
    const words = fold(form.elements.words.value).split(/\s+/).filter(Boolean);
    const fits = wanted(words);
    // What is found must not be folded away.
    if (words.length > 0 && waiting) waiting.open = true;
    let shown = 0;
    let all = 0;
    for (const { group, memories } of groups) {
      let inGroup = 0;
      for (const memory of memories) {
        memory.hidden = !fits(memory);
        inGroup += !memory.hidden;
      }
      group.hidden = inGroup === 0;
      shown += inGroup;
      all += memories.length;
    }
    nothing.hidden = shown > 0;
    count.value = `${shown} of ${all} shown`;
  };

  // A link leads to its memory, whatever is filtered.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target?.classList.contains("memory")) return;
    if (target.hidden) {
      form.reset();
      form.elements.state.value = "all";
      apply();
    }
    target.scrollIntoView();
  };

  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  // A form is reset after its event.
  form.addEventListener("reset", () => setTimeout(apply));
  addEventListener("hashchange", follow);
  addEventListener("pageshow", apply);

  addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input[type=search], select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      form.elements.words.focus();
    }
  });

  // Paper cannot be unfolded.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll(".memory:not([hidden]) details:not([open]), .waiting > details:not([open])")];
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });

  form.hidden = false;
  apply();
  follow();
})();
