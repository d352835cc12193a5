import { useEffect } from 'react'
import type { Filter } from '#contract/filter/ast.ts'
import { isWildcard } from '#contract/filter/check.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { type Mark, fold, mergeMarks } from '../../../ui/text/search-terms.ts'
import { useDeliveries } from '../../../state/deliveries.ts'
import './FilterField.css'

/** Maximum UTF-16 units searched in one text. */
const maxTextLength = 4000
/** Maximum number of highlighted matches on a page. */
const maxHits = 2000

/** Selectors of elements that show values of a delivery: rows, overview, headers and body. */
const places = [
  '.delivery-row :is(.c-type, .c-title, .c-target, .c-location)',
  '.detail .ticket-head h3',
  '.detail .ticket-under',
  '.detail .ticket-parts',
  '.detail dd',
  '.detail td',
  '.detail .tree-line',
  '.detail .text-line',
].join(', ')

/** Returns a function that finds the words of a filter in a text; null if the filter has no words. */
export function hitsOf(filter: Filter): ((text: string) => readonly Mark[]) | null {
  const finders = findersOf(filter)
  if (finders.length === 0) return null
  return (text) => {
    const { text: folded, at } = fold(text, maxTextLength)
    const marks = finders.flatMap((find) => find(folded))
    return mergeMarks(marks.map(([from, to]) => [at[from] ?? 0, at[to] ?? text.length]))
  }
}

type Finder = (folded: string) => readonly Mark[]

/** Negated words are not highlighted. */
function findersOf(filter: Filter): readonly Finder[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(findersOf)
    case 'all':
    case 'not':
      return []
    case 'text':
      return [phraseFinder(filter.text, !filter.quoted || filter.text.endsWith('*'))]
    case 'field':
      if (filter.field !== 'contains' || filter.comparison !== '=') return []
      return filter.values
        .flatMap((value) => (isWildcard(value) ? value.text.split('*') : [value.text]))
        .map((piece) => fold(piece, maxTextLength).text)
        .filter((piece) => piece !== '')
        .map(pieceFinder)
  }
}

function pieceFinder(piece: string): Finder {
  return (folded) => {
    const marks: Mark[] = []
    for (let at = folded.indexOf(piece); at !== -1; at = folded.indexOf(piece, at + piece.length)) {
      marks.push([at, at + piece.length])
    }
    return marks
  }
}

/** Matches consecutive whole words. With `open`, the last one only needs to start with the word. */
function phraseFinder(text: string, open: boolean): Finder {
  const wanted = wordsOf(fold(text, maxTextLength).text)
  return (folded) => {
    const words = wordsOf(folded)
    return words.flatMap((first, place): Mark[] => {
      let to = first.from
      for (const [index, { word }] of wanted.entries()) {
        const found = words[place + index]
        if (!found) return []
        const begins = open && index === wanted.length - 1
        if (begins ? !found.word.startsWith(word) : found.word !== word) return []
        to = found.from + word.length
      }
      return [[first.from, to]]
    })
  }
}

function wordsOf(folded: string): readonly { readonly word: string; readonly from: number }[] {
  return Array.from(folded.matchAll(/[\p{L}\p{N}\p{Co}]{1,4000}/gu), ({ 0: word, index }) => ({
    word,
    from: index,
  }))
}

/** Highlights the words of the filter in the list and the open delivery, including content rendered later. */
export function useSearchHits(): void {
  const filter = useDeliveries((state) => state.filter)
  useEffect(() => {
    const parsed = parseFilter(filter)
    const find = parsed.ok ? hitsOf(parsed.filter) : null
    // Browsers without the CSS Custom Highlight API show the same results, not highlighted.
    if (find === null || !('highlights' in CSS)) return undefined
    const highlight = new Highlight()
    CSS.highlights.set('search-hit', highlight)
    let frame = 0
    const mark = (): void => {
      frame = 0
      highlight.clear()
      for (const place of document.querySelectorAll(places)) markIn(place, find, highlight)
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

function markIn(
  place: Element,
  find: (text: string) => readonly Mark[],
  highlight: Highlight,
): void {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [from, to] of find(node.nodeValue ?? '')) {
      if (highlight.size >= maxHits) return
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      highlight.add(range)
    }
  }
}
