import { Icons } from '../../ui/icons.tsx'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Text } from '../../ui/Layout.tsx'
import { Empty } from '../../ui/Note.tsx'
import { MarkedText } from '../../ui/MarkedText.tsx'
import { plural } from '#shared/text/format.ts'
import { SearchField } from '../../ui/SearchField.tsx'
import { markedStems, meaningsOf } from '../../ui/text/meaning.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useShell } from '../../state/app.ts'
import { guide, type GuideResult, plainText, searchGuide } from './guide.ts'
import { headingId, Markdown } from './Markdown.tsx'
import { guideAddress, guideGroups, guidePages, guidePlaceOf } from '../../routes/guide.ts'
import './HelpPage.css'

/** The user guide: a list of pages, a search over all of them, and one page. */
export function HelpPage() {
  const hash = useShell((state) => state.hash)
  const [query, setQuery] = useState('')
  const results = searchGuide(query)
  const { page: name, section } = guidePlaceOf(hash)
  const page = guide.find((entry) => entry.name === name)
  const article = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useKeys({ 'help-find': () => field.current?.select() })

  useEffect(() => {
    const heading =
      section === null
        ? article.current?.querySelector('h2')
        : article.current?.querySelector(`#${CSS.escape(headingId(section))}`)
    if (section === null) article.current?.scrollTo({ top: 0 })
    else heading?.scrollIntoView({ block: 'start' })
    // After a link, reading continues at the heading. Without a page, no link was followed.
    if (name !== null && heading instanceof HTMLElement) heading.focus({ preventScroll: true })
  }, [name, section])

  return (
    <div className="guide-layout" data-page={name ?? undefined}>
      <div className="guide-side">
        <SearchField
          label="Search the guide"
          query={query}
          onChange={setQuery}
          field={field}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') focusLink(event.currentTarget, 1)
            else if (event.key === 'Enter') linksBeside(event.currentTarget)[0]?.click()
            else return
            event.preventDefault()
          }}
        >
          <span className="visually-hidden" role="status">
            {query.trim() !== '' && plural(results.length, 'result', 'results')}
          </span>
        </SearchField>
        {query.trim() === '' ? (
          <PageList current={name} />
        ) : (
          <Results results={results} onLeave={() => field.current?.focus()} />
        )}
      </div>
      <article className="shrink scroll" ref={article} aria-label="Guide">
        <div className="guide-text selectable">
          {page === undefined ? (
            <Overview />
          ) : (
            <>
              <a className="guide-back" href={guideAddress(null)}>
                <Icons.ArrowLeft /> All pages
              </a>
              <Markdown page={page} words={markedStems(meaningsOf(query))} />
            </>
          )}
        </div>
      </article>
    </div>
  )
}

/** The links below the search field, in order. */
function linksBeside(element: Element): HTMLAnchorElement[] {
  const side = element.closest('.guide-side')
  return side ? [...side.querySelectorAll<HTMLAnchorElement>('.guide-links a')] : []
}

/** Focuses the next or previous link. Returns false if there is none. */
function focusLink(element: Element, step: 1 | -1): boolean {
  const links = linksBeside(element)
  const index = element instanceof HTMLAnchorElement ? links.indexOf(element) : -1
  const link = links[index + step]
  link?.focus()
  return link !== undefined
}

function PageList({ current }: { readonly current: string | null }) {
  return (
    <nav className="guide-links" aria-label="Guide contents">
      {guideGroups.map((group) => (
        <div key={group}>
          <p className="size-xs weight-semibold dim">{group}</p>
          <ul>
            {guidePages
              .filter((page) => page.group === group)
              .map(({ name, title }) => (
                <li key={name}>
                  <a href={guideAddress(name)} aria-current={name === current ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

interface ResultsProps {
  readonly results: readonly GuideResult[]
  /** Called when the user presses the up arrow on the first result. */
  readonly onLeave: () => void
}

function Results({ results, onLeave }: ResultsProps) {
  if (results.length === 0) {
    return (
      <Empty icon={Icons.SearchX} title="No results">
        Use fewer or different words.
      </Empty>
    )
  }
  function move(event: KeyboardEvent<HTMLAnchorElement>): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const moved = focusLink(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
    if (!moved && event.key === 'ArrowUp') onLeave()
  }
  return (
    <ul className="guide-links guide-results" aria-label="Search results" data-scrolls>
      {results.map(({ page, section, snippet, snippetMarks, titleMarks }) => (
        <li key={`${page.name} ${section.slug}`}>
          <a href={guideAddress(page.name, section.slug)} onKeyDown={move}>
            <Text as="b" tone="ink" weight="semibold">
              <MarkedText text={section.title} marks={titleMarks} />
            </Text>
            {section.slug !== null && <span className="size-s anywhere mid">{page.title}</span>}
            <span className="size-s anywhere dim">
              <MarkedText text={snippet} marks={snippetMarks} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function Overview() {
  return (
    <>
      <p>
        The user guide. It is part of Tabscope and works offline. Press <kbd>/</kbd> to search it,
        and <kbd>?</kbd> for keyboard shortcuts.
      </p>
      {guideGroups.map((group) => (
        <section key={group} aria-label={group}>
          <h2 tabIndex={-1}>{group}</h2>
          <ul className="margin-top-5 guide-overview">
            {guidePages
              .filter((page) => page.group === group)
              .map(({ name, title }) => (
                <li key={name}>
                  <a href={guideAddress(name)}>{title}</a>
                  <span className="mid">{firstSentence(name)}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function firstSentence(name: string): string {
  const page = guide.find((entry) => entry.name === name)
  const paragraph = page?.tokens.find(({ type }) => type === 'paragraph')
  const text = paragraph ? plainText([paragraph]).replaceAll('\n', ' ') : ''
  const end = text.search(/[.:] /)
  return end === -1 ? text : `${text.slice(0, end)}.`
}
