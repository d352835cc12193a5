import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { startCompletion } from '@codemirror/autocomplete'
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorView } from '@codemirror/view'
import type { Offer } from './json-completions.ts'
import { offersAt } from './json-completions.ts'

/** Milliseconds that reading the text may take before what is read so far has to do. */
const patience = 50

/** What the document knows of the place that is written at. `brand`: asked anew each time. */
export function bodyCompletions(
  brand: () => string,
): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit }) => {
    const tree = ensureSyntaxTree(state, pos, patience) ?? syntaxTree(state)
    const found = offersAt(tree, (from, to) => state.sliceDoc(from, to), pos, brand())
    if (!found) return null
    const begun = state.sliceDoc(found.from, pos)
    // Unasked only within what is being written: else Enter would take an offer where a new line was meant.
    const ended = begun.length > 1 && begun.endsWith('"')
    if (!explicit && (begun === '' || ended)) return null
    // What is behind its end is not searched for: all is offered in its place.
    const from = ended ? pos : found.from + (begun.startsWith('"') ? 1 : 0)
    const around = { before: from - found.from, behind: found.to - pos }
    return {
      from,
      options: found.offers.map((offer, index) => optionOf(offer, around, index)),
      ...(ended ? { filter: false } : { validFor: /^[\w{}:]*$/ }),
    }
  }
}

/** Characters that belong to what is replaced, on both sides of what is searched for. */
interface Around {
  readonly before: number
  readonly behind: number
}

function optionOf(offer: Offer, { before, behind }: Around, index: number): Completion {
  return {
    label: offer.label,
    detail: offer.detail,
    ...(offer.info === '' ? {} : { info: offer.info }),
    type: offer.kind,
    // In the order of the document.
    boost: -index,
    apply: (view, _, from, to) => take(view, offer, from - before, to + behind),
  }
}

function take(view: EditorView, offer: Offer, from: number, to: number): void {
  view.dispatch({
    changes: { from, to, insert: offer.text },
    selection: { anchor: from + (offer.at ?? offer.text.length) },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
  // Between the quotes of a new value there may be more to choose from.
  if (offer.kind === 'key' && offer.text.endsWith('""')) startCompletion(view)
}
