import { Text, Row, Stack } from '../ui/Layout.tsx'
import { Logo } from '../ui/Logo.tsx'
import { useShell } from '../state/app.ts'
import { noteOfPage, useNotes } from './notes.ts'
import { pages } from './pages.ts'
import { lastTab, useTabAddress } from './visited.ts'
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
                <Text push tone="dim" size="xs" weight="medium" className="rail-note" aria-hidden>
                  {note}
                </Text>
              )}
            </a>
            {page.tabs.length > 1 && name !== current && (
              <ul className="rail-tabs">
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
      <Row align="center" gap={4} className="brand">
        <Logo />
        <span className="rail-word">Tabscope</span>
      </Row>
      <Stack column className="rail-pages">
        <ul>{linksTo(false)}</ul>
        <ul className="rail-foot">{linksTo(true)}</ul>
      </Stack>
    </nav>
  )
}
