import { useEffect } from 'react'
import type { Filter } from '#contract/filter/ast.ts'
import { isWildcard } from '#contract/filter/check.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import type { Mark } from '../../../ui/text/search-terms.ts'
import { fold, mergeMarks } from '../../../ui/text/search-terms.ts'
import { useDeliveries } from '../../../state/deliveries.ts'
import './SearchHits.css'

/** UTF-16 units of one piece of text that are looked through. */
const longest = 4000
/** Pieces of text on a page that are marked; more are not told apart. */
const mostHits = 2000

/** Where values that came with a delivery are drawn: in rows, overview, headers and body. */
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

/** What the words of a filter hit in a text; null: it looks for no words. */
export function hitsOf(filter: Filter): ((text: string) => readonly Mark[]) | null {
  const finders = findersOf(filter)
  if (finders.length === 0) return null
  return (text) => {
    const { text: folded, at } = fold(text, longest)
    const marks = finders.flatMap((find) => find(folded))
    return mergeMarks(marks.map(([from, to]) => [at[from] ?? 0, at[to] ?? text.length]))
  }
}

type Finder = (folded: string) => readonly Mark[]

/** Of a negation nothing is found. */
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
        .map((piece) => fold(piece, longest).text)
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

/** Words one after the other, the last of them whole unless it is `open`. */
function phraseFinder(text: string, open: boolean): Finder {
  const wanted = wordsOf(fold(text, longest).text)
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

/** Marks in the list and in the open delivery what the words of the filter hit, also in what is drawn later. */
export function useSearchHits(): void {
  const filter = useDeliveries((state) => state.filter)
  useEffect(() => {
    const parsed = parseFilter(filter)
    const find = parsed.ok ? hitsOf(parsed.filter) : null
    // Browsers without highlights find the same, unmarked.
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
      if (highlight.size >= mostHits) return
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      highlight.add(range)
    }
  }
}
