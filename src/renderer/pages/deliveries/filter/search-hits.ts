import { useEffect } from 'react'
import type { Filter } from '#contract/filter/ast.ts'
import { isWildcard } from '#contract/filter/check.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { fold, marksOf } from '#kit/text/search-terms.ts'
import { useDeliveries } from '#client/state/deliveries.ts'
import './FilterField.css'

/** Maximum UTF-16 units searched in one text. */
const maxTextLength = 4000
/** Maximum number of highlighted matches on a page. */
const maxHits = 2000

/** Selectors of elements that show values of a delivery: rows, overview, headers and body. */
const places = [
  '.delivery-row :is(.c-type, .c-event, .c-target, .c-location, .c-body)',
  '.detail .ticket-head h3',
  '.detail .ticket-under',
  '.detail .ticket-parts',
  '.detail dd',
  '.detail td',
  '.detail .tree-line',
  '.detail .text-line',
].join(', ')

/** Returns the words and texts that a filter searches for. Negated ones are not highlighted. */
export function searchTermsOf(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(searchTermsOf)
    case 'all':
    case 'not':
      return []
    case 'text':
      return filter.quoted ? [filter.text] : filter.text.split(/[^\p{L}\p{N}\p{Co}]/u)
    case 'field':
      return filter.field === 'contains' && filter.comparison === '='
        ? filter.values.flatMap((value) => (isWildcard(value) ? value.text.split('*') : value.text))
        : []
  }
}

/** Highlights the words of the filter in the list and the open delivery, including content rendered later. */
export function useSearchHits(): void {
  const filter = useDeliveries((state) => state.filter)
  useEffect(() => {
    const parsed = parseFilter(filter)
    const words = (parsed.ok ? searchTermsOf(parsed.filter) : [])
      .map((word) => fold(word, maxTextLength).text)
      .filter((word) => word !== '')
    // Browsers without the CSS Custom Highlight API show the same results, not highlighted.
    if (words.length === 0 || !('highlights' in CSS)) return undefined
    const highlight = new Highlight()
    CSS.highlights.set('search-hit', highlight)
    let frame = 0
    const mark = (): void => {
      frame = 0
      highlight.clear()
      for (const place of document.querySelectorAll(places)) markIn(place, words, highlight)
    }
    const observer = new MutationObserver(() => {
      if (frame === 0) frame = requestAnimationFrame(mark)
    })
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
    mark()
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      CSS.highlights.delete('search-hit')
    }
  }, [filter])
}

function markIn(place: Element, words: readonly string[], highlight: Highlight): void {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [from, to] of marksOf(words, node.nodeValue ?? '', maxTextLength)) {
      if (highlight.size >= maxHits) return
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      highlight.add(range)
    }
  }
}
