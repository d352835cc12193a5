import { Icons } from '#kit/icons.tsx'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Empty } from '#kit/Note.tsx'
import { MarkedText } from '#kit/Shown.tsx'
import { plural } from '#shared/text/format.ts'
import { SearchField } from '#kit/SearchField.tsx'
import { markedStems, meaningsOf } from '#kit/text/meaning.ts'
import { useKeys } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import { guide, type GuideResult, plainText, searchGuide } from './guide.ts'
import { headingId, Markdown } from './Markdown.tsx'
import { guideAddress, guideGroups, guidePages, guidePlaceOf } from '#client/addresses/guide.ts'
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
    <div
      className="grid h-full grid-cols-aside-1 below-760:block below-760:overflow-auto"
      data-page={name ?? undefined}
    >
      <div className="guide-side grid min-h-0 grid-rows-auto-1 gap-5 border-r border-r-line px-5 pt-6 pb-0 below-760:block below-760:border-0">
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
      <article className="min-w-0 overflow-auto" ref={article} aria-label="Guide">
        <div className="guide-text max-w-(--measure-page) px-9 pt-8 pb-11 leading-[1.6] wrap-break-word select-text below-760:px-5 below-760:py-6">
          {page === undefined ? (
            <Overview />
          ) : (
            <>
              <a
                className="hidden items-center gap-2 below-760:inline-flex"
                href={guideAddress(null)}
              >
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

function linksBeside(element: Element): HTMLAnchorElement[] {
  const side = element.closest('.guide-side')
  return side ? [...side.querySelectorAll<HTMLAnchorElement>('.guide-links a')] : []
}

function focusLink(element: Element, step: 1 | -1): boolean {
  const links = linksBeside(element)
  const index = element instanceof HTMLAnchorElement ? links.indexOf(element) : -1
  const link = links[index + step]
  link?.focus()
  return link !== undefined
}

function PageList({ current }: { current: string | null }) {
  return (
    <nav
      className="guide-links min-h-0 overflow-x-hidden overflow-y-auto px-2 pt-2 pb-6 [&_a[aria-current]]:bg-accent-soft [&_a[aria-current]]:font-semibold [&_a[aria-current]]:text-ink [&_p]:px-4 [&_p]:pt-4 [&_p]:pb-2"
      aria-label="Guide contents"
    >
      {guideGroups.map((group) => (
        <div key={group}>
          <p className="text-xs font-semibold text-dim">{group}</p>
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
  results: readonly GuideResult[]
  /** Called when the user presses the up arrow on the first result. */
  onLeave: () => void
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
    <ul
      className="guide-links min-h-0 overflow-x-hidden overflow-y-auto px-2 pt-2 pb-6 [&_a]:grid [&_a]:p-4 [&_a[aria-current]]:bg-accent-soft [&_a[aria-current]]:font-semibold [&_a[aria-current]]:text-ink [&_p]:px-4 [&_p]:pt-4 [&_p]:pb-2"
      aria-label="Search results"
      data-scrolls
    >
      {results.map(({ page, section, snippet, snippetMarks, titleMarks }) => (
        <li key={`${page.name} ${section.slug}`}>
          <a href={guideAddress(page.name, section.slug)} onKeyDown={move}>
            <b className="font-semibold text-ink">
              <MarkedText text={section.title} marks={titleMarks} />
            </b>
            {section.slug !== null && (
              <span className="text-s wrap-anywhere text-mid">{page.title}</span>
            )}
            <span className="text-s wrap-anywhere text-dim">
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
          <ul className="guide-overview mt-5">
            {guidePages
              .filter((page) => page.group === group)
              .map(({ name, title }) => (
                <li key={name}>
                  <a href={guideAddress(name)}>{title}</a>
                  <span className="text-mid">{firstSentence(name)}</span>
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
