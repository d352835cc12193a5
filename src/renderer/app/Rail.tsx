import { useShell } from '#client/state/app.ts'
import { noteOfPage, useNotes } from './notes.ts'
import { pages, lastTab, useTabAddress } from './pages.ts'
import './Rail.css'

/** The entries of all pages. Pointing at one shows its tabs, so that each is one click away. */
export function Rail() {
  const current = useShell((state) => state.page)
  const notes = useNotes()
  const addressOf = useTabAddress()
  const linksTo = (foot: boolean) =>
    pages
      .filter((page) => (page.foot ?? false) === foot)
      .map((page) => {
        const { name, label, icon: Icon } = page
        const note = noteOfPage(page, notes)
        return (
          <li key={name}>
            <a
              href={addressOf(lastTab(page))}
              aria-current={name === current ? 'page' : undefined}
              title={label}
            >
              <Icon aria-hidden strokeWidth={1.75} />
              <span className="rail-word">{label}</span>
              {note !== undefined && (
                <span
                  className="rail-note ml-auto text-xs font-medium text-dim below-760:hidden"
                  aria-hidden
                >
                  {note}
                </span>
              )}
            </a>
            {page.tabs.length > 1 && name !== current && (
              <ul className="rail-tabs invisible fixed left-[calc(var(--rail)_-_var(--space-4))] z-(--layer-sheet) mt-[calc(-1_*_var(--control))] min-w-(--measure-label) rounded-md border border-line bg-surface p-2 shadow-l">
                {page.tabs.map((tab) => (
                  <li key={tab.address}>
                    <a href={addressOf(tab)}>{tab.label}</a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        )
      })
  return (
    <nav className="rail" aria-label="Pages">
      <div className="brand flex items-center gap-4 border-b border-b-line px-6 py-0 font-bold tracking-[-0.01em] below-760:justify-center below-760:p-0">
        <Logo />
        <span className="rail-word">Tabscope</span>
      </div>
      <div className="rail-pages flex min-h-0 flex-col overflow-x-hidden overflow-y-auto p-4">
        <ul>{linksTo(false)}</ul>
        <ul className="mt-auto">{linksTo(true)}</ul>
      </div>
    </nav>
  )
}

export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 20 20" fill="none" strokeWidth="2" aria-hidden="true">
      <circle cx="8.5" cy="8.5" r="5.5" />
      <path d="m12.8 12.8 4.2 4.2M6 8.5h5M8.5 6v5" strokeLinecap="round" />
    </svg>
  )
}
