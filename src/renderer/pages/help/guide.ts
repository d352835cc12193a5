import { lexer, type MarkedToken, type Token } from 'marked'
import {
  markedStems,
  marksOfStems,
  type Meaning,
  meaningScore,
  meaningsOf,
} from '#kit/text/meaning.ts'
import { fold, type Mark } from '#kit/text/search-terms.ts'
import { guideAddress, type GuidePageName, guidePages } from '#client/addresses/guide.ts'

/** The guide is part of the bundle, so that it works offline. */
const sources = import.meta.glob<string>('../../../../resources/docs/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** The text between two headings. */
export interface GuideSection {
  /** The anchor of the heading; null for the text before the second heading of the page. */
  readonly slug: string | null
  readonly title: string
  readonly text: string
}

export interface GuidePage {
  readonly name: GuidePageName
  readonly title: string
  readonly tokens: readonly MarkedToken[]
  readonly sections: readonly GuideSection[]
  /** The anchors of the headings, following GitHub's rules. */
  readonly slugs: ReadonlyMap<Token, string>
}

export function readPage(name: GuidePageName, title: string, source: string): GuidePage {
  const tokens = supportedTokens(lexer(source))
  const slugs = new Map<Token, string>()
  const usedSlugs = new Map<string, number>()
  const sections: { slug: string | null; title: string; text: string }[] = [
    { slug: null, title, text: '' },
  ]
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plainText([token])
      const slug = slugOf(heading)
      const duplicates = usedSlugs.get(slug) ?? 0
      usedSlugs.set(slug, duplicates + 1)
      slugs.set(token, duplicates === 0 ? slug : `${slug}-${duplicates}`)
      if (token.depth > 1) {
        sections.push({ slug: slugs.get(token) ?? slug, title: heading, text: '' })
      }
    } else {
      const section = sections.at(-1)
      if (section) section.text += `${plainText([token])}\n`
    }
  }
  return { name, title, tokens, sections, slugs }
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

const supportedTypes: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'code',
  'codespan',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'link',
  'list',
  'list_item',
  'paragraph',
  'strong',
  'table',
  'text',
])

export const guide: readonly GuidePage[] = guidePages.map(({ name, title }) =>
  readPage(name, title, sources[`../../../../resources/docs/${name}.md`] ?? ''),
)

/** Removes blank lines and token types that the guide does not use. */
export function supportedTokens(tokens: readonly Token[]): MarkedToken[] {
  return tokens.filter((token): token is MarkedToken => supportedTypes.has(token.type))
}

/** The text of tokens without markup. */
export function plainText(tokens: readonly Token[]): string {
  return supportedTokens(tokens)
    .map((token) => {
      switch (token.type) {
        case 'table':
          return [token.header, ...token.rows]
            .map((row) => row.map((cell) => plainText(cell.tokens)).join(' · '))
            .join('\n')
        case 'list':
          return token.items.map((item) => plainText(item.tokens)).join('\n')
        case 'html':
          return ''
        case 'br':
          return ' '
        default:
          return 'tokens' in token && token.tokens !== undefined
            ? plainText(token.tokens)
            : 'text' in token
              ? token.text
              : ''
      }
    })
    .join('')
}

const repository = 'https://github.com/tabscope/tabscope/blob/main/'

/** The target of a link in the guide: another place in the guide, or an address on the web. */
export function resolveLink(href: string, from: GuidePageName): string {
  if (/^https?:/.test(href)) return href
  const [file = '', anchor = null] = href.split('#')
  const page = file === '' ? from : guidePages.find(({ name }) => `${name}.md` === file)?.name
  if (page !== undefined) return guideAddress(page, anchor)
  const { pathname } = new URL(file, 'file:///resources/docs/')
  return `${repository}${pathname.slice(1)}${anchor === null ? '' : `#${anchor}`}`
}

export interface GuideResult {
  readonly page: GuidePage
  readonly section: GuideSection
  /** An excerpt of the text around a match. */
  readonly snippet: string
  readonly snippetMarks: readonly Mark[]
  readonly titleMarks: readonly Mark[]
}

interface IndexEntry {
  readonly page: GuidePage
  readonly section: GuideSection
  readonly title: string
  readonly text: string
}

let index: readonly IndexEntry[] | null = null

function searchIndex(): readonly IndexEntry[] {
  index ??= guide.flatMap((page) =>
    page.sections.map((section) => ({
      page,
      section,
      title: fold(`${section.title}\n${page.title}`, Infinity).text,
      text: fold(section.text, Infinity).text,
    })),
  )
  return index
}

const maxResults = 40
const snippetLength = 150

/** The sections about what a query is about, best match first. Empty for an empty query. */
export function searchGuide(query: string): readonly GuideResult[] {
  const meanings = meaningsOf(query)
  if (meanings.length === 0) return []
  const stems = markedStems(meanings)
  return searchIndex()
    .map((entry) => ({ entry, score: scoreOf(meanings, entry) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ entry: { page, section } }) => {
      const snippet = snippetOf(section.text, stems)
      return {
        page,
        section,
        snippet,
        snippetMarks: marksOfStems(stems, snippet),
        titleMarks: marksOfStems(stems, section.title),
      }
    })
}

function scoreOf(meanings: readonly Meaning[], { page, title, text }: IndexEntry): number {
  const score = meaningScore(meanings, title, text)
  const isReference = guidePages.some(
    ({ name, group }) => name === page.name && group === 'Reference',
  )
  return score === 0 || isReference ? score : score + 1
}

function snippetOf(text: string, words: readonly string[]): string {
  const folded = fold(text, Infinity)
  const found = words.map((word) => folded.text.indexOf(word)).find((at) => at !== -1) ?? 0
  const first = folded.at[found] ?? 0
  const from = first < snippetLength / 2 ? 0 : text.indexOf(' ', first - snippetLength / 2) + 1
  const piece = text
    .slice(from, from + snippetLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${from > 0 ? '…' : ''}${piece}${from + snippetLength < text.length ? '…' : ''}`
}
