import { SearchX } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { Page } from '../../components/Page.tsx'
import { wordsOf } from '../../components/text/find-words.ts'
import { useKeys } from '../shell/bound.ts'
import { useShell } from '../shell/store.ts'
import { AboutCard } from '../about/AboutCard.tsx'
import { ClearCard } from './ClearCard.tsx'
import { DesktopCards } from './DesktopCards.tsx'
import { ElsewhereCard } from './ElsewhereCard.tsx'
import { findSettings } from './find.ts'
import { FindField } from './FindField.tsx'
import { GuideCard } from './GuideCard.tsx'
import { KeepingCard } from './KeepingCard.tsx'
import { ListenerCard } from './ListenerCard.tsx'
import { LookingContext } from './looking.ts'
import { useSettings } from './store.ts'
import { ThemeCard } from './ThemeCard.tsx'
import { UpdatesCard } from './UpdatesCard.tsx'
import { useGoneTo } from './use-gone-to.ts'
import './SettingsPage.css'

/** What can be set, and found by what it is called. Each value is stored when its field is left. */
export function SettingsPage() {
  const settings = useSettings((state) => state.settings)
  const capabilities = useShell((state) => state.capabilities)
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const gone = useGoneTo(place, setQuery)
  useKeys({ 'settings-find': () => field.current?.focus() })
  const found = useMemo(() => findSettings(query, capabilities), [query, capabilities])
  const looking = useMemo(
    () => ({ words: wordsOf(query), shown: found.here, gone }),
    [query, found, gone],
  )
  if (!settings) return null
  const count = found.here.size + found.elsewhere.length
  return (
    <LookingContext value={looking}>
      <Page
        title="Settings"
        lead="Each value is stored when you leave its field or press Enter."
        actions={<FindField query={query} found={count} onChange={setQuery} field={field} />}
      >
        <div ref={place} className="settings">
          <ThemeCard theme={settings.theme} />
          <ListenerCard settings={settings} />
          <KeepingCard settings={settings} />
          <DesktopCards settings={settings} />
          <UpdatesCard settings={settings} />
          <ClearCard />
          <GuideCard />
          <AboutCard />
          <ElsewhereCard settings={found.elsewhere} />
          {found.absent.map(({ name, label }) => (
            <Note key={name} tone="unsigned">
              {`“${label}” is there in the desktop app only.`}
            </Note>
          ))}
          {count === 0 && found.absent.length === 0 && (
            <Empty
              icon={<SearchX aria-hidden />}
              title="No setting is called so"
              actions={
                <Button
                  onClick={() => {
                    setQuery('')
                    field.current?.focus()
                  }}
                >
                  Show all settings
                </Button>
              }
            >
              Each word must be in what a setting is called or does.
            </Empty>
          )}
        </div>
      </Page>
    </LookingContext>
  )
}
