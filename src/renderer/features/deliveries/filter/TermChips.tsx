import { ChevronDown, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { topTerms, without } from '#contract/filter/edit.ts'
import type { Span } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { cut, visible } from '#renderer/components/text/visible.ts'
import { setFilterText } from '../store.ts'

/** More than these go into a menu: the bar does not grow without end. */
const drawn = 3

/** Every term of the filter, each to take away. */
export function TermChips({ text }: { readonly text: string }) {
  const parsed = parseFilter(text)
  const terms = parsed.ok ? topTerms(parsed.filter) : []
  // A menu for a single one would take as much room as the one.
  const shown = terms.length === drawn + 1 ? drawn + 1 : drawn
  const rest = terms.slice(shown)
  return (
    <>
      {terms.slice(0, shown).map((term) => (
        <TermChip key={term.from} text={text} term={term} />
      ))}
      {rest.length > 0 && (
        <Popover.Root>
          <Popover.Trigger className="chip-menu">
            {rest.length} more <ChevronDown aria-hidden className="chip-more" />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              className="check-menu term-menu"
              align="start"
              sideOffset={6}
              collisionPadding={8}
              aria-label="More terms of the filter"
            >
              {rest.map((term) => (
                <TermChip key={term.from} text={text} term={term} />
              ))}
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </>
  )
}

function TermChip({ text, term }: { readonly text: string; readonly term: Span }) {
  const words = visible(cut(text.slice(term.from, term.to), 36))
  return (
    <span className="chip-term mono">
      <span className="cut">{words}</span>
      <button
        type="button"
        aria-label={`Remove ${words}`}
        onClick={() => setFilterText(without(text, term))}
      >
        <X aria-hidden />
      </button>
    </span>
  )
}
