import { ArrowRight, SearchX, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { fold, marksOf, searchTermsOf } from '../../components/text/search-terms.ts'
import { useKeys } from '../shell/command-registry.ts'
import { useCan, useShell } from '../shell/store.ts'
import { AboutCard } from '../about/AboutCard.tsx'
import { FindField } from './FindField.tsx'
import { ListenerCard } from './ListenerCard.tsx'
import { LookingContext, useLooking, useWantedSetting } from './looking.ts'
import { useSettings } from './store.ts'
import { UpdatesCard } from './UpdatesCard.tsx'
import './SettingsPage.css'
import { useClient } from '../../platform/use-client.ts'
import { openGuide } from '../guide/commands.ts'
import { Setting, SettingsCard, useSettingText } from './Setting.tsx'
import { openDialog } from '../shell/dialogs.ts'
import type { Settings } from '#contract/models.ts'
import { Segments } from '../../components/Segments.tsx'
import { chooseTheme } from './theme.ts'
import { MarkedText } from '../../components/MarkedText.tsx'
import { allSettings, type PlacedSetting } from './registry.ts'
import type { Capabilities } from '#contract/host.ts'
import { SwitchSetting } from './SwitchSetting.tsx'
import * as checks from './checks.ts'
import { StoredField } from './StoredField.tsx'
import { settingsPlaceOf } from './address.ts'

/** Milliseconds for which a setting that was gone to is set off. */
const shownFor = 2000

/**
 * Goes where the address says: looks for what it names (`?find=`), or scrolls to the setting, puts the focus on it, and returns its name for a
 * moment. Again for each time that it is asked for.
 */
function useGoneTo(
  place: RefObject<HTMLElement | null>,
  look: (query: string) => void,
): string | null {
  const hash = useShell((state) => state.hash)
  const turn = useWantedSetting((state) => state.turn)
  /** Which asking is over. */
  const [over, setOver] = useState<string | null>(null)
  const { name, find } = settingsPlaceOf(hash)
  const asking = `${turn} ${hash}`
  useEffect(() => {
    look(find)
    if (name === null) return undefined
    // Once it is shown: it may have been hidden by what was looked for.
    const go = setTimeout(() => reveal(place.current, name))
    const end = setTimeout(() => setOver(asking), shownFor)
    return () => {
      clearTimeout(go)
      clearTimeout(end)
    }
  }, [asking, name, find, look, place])
  return over === asking ? null : name
}

const reachable = 'input:checked, input:not([type="radio"]), select, button, a[href]'

function reveal(place: HTMLElement | null, name: string): void {
  const setting = place?.querySelector<HTMLElement>(`[data-setting="${name}"]`)
  if (!setting) return
  setting.scrollIntoView({ block: 'center' })
  setting.querySelector<HTMLElement>(reachable)?.focus({ preventScroll: true })
}

const gib = 1024 * 1024 * 1024

function KeepingCard({ settings }: { readonly settings: Settings }) {
  const client = useClient()
  async function update(change: Partial<Settings>): Promise<void> {
    await client.call('settings.update', change)
  }
  const number = useSettingText('keep-deliveries')
  const bytes = useSettingText('keep-bytes')
  return (
    <SettingsCard title="Keeping" note="The oldest go first. Pinned deliveries stay.">
      <Setting name="keep-deliveries">
        <StoredField
          {...number}
          stored={String(settings.keepDeliveries)}
          check={(text) => checks.wholeNumber(text, 1, 10_000_000)}
          store={(text) => update({ keepDeliveries: Number(text) })}
          numeric
          after={<span className="field-unit">deliveries</span>}
        />
      </Setting>
      <Setting name="keep-bytes">
        <StoredField
          {...bytes}
          stored={String(Number((settings.keepBytes / gib).toFixed(3)))}
          check={(text) => checks.anyNumber(text, 0.001, 1024)}
          store={(text) => update({ keepBytes: Math.round(Number(text) * gib) })}
          numeric
          after={<span className="field-unit">GiB on disk</span>}
        />
      </Setting>
    </SettingsCard>
  )
}

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

function ThemeCard({ theme }: Pick<Settings, 'theme'>) {
  const client = useClient()
  const { label, hint } = useSettingText('theme')
  return (
    <SettingsCard title="Appearance">
      <Setting name="theme">
        <div className="setting-field">
          <p className="setting-label">{label}</p>
          <Segments
            label="Theme"
            value={theme}
            options={themes}
            onChange={(next) => chooseTheme(client, next)}
          />
          <p className="field-hint">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}

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
    () => ({ words: searchTermsOf(query), shown: found.here, gone }),
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

/** The guide once more, for who has skipped it or been through it. */
function GuideCard() {
  const client = useClient()
  const { hint } = useSettingText('guide')
  return (
    <SettingsCard title="Guided start">
      <Setting name="guide">
        <div className="setting-field">
          <div>
            <Button onClick={() => openGuide(client)}>Open the guided start</Button>
          </div>
          <p className="field-hint">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}

function ClearCard() {
  const kept = useShell((state) => state.stats.deliveries)
  const { hint } = useSettingText('clear')
  return (
    <SettingsCard title="Deliveries">
      <Setting name="clear">
        <div className="setting-field">
          <Button
            kind="danger"
            icon={<Trash2 aria-hidden />}
            disabled={kept === 0}
            onClick={() => openDialog('clear')}
          >
            Clear deliveries
          </Button>
          <p className="field-hint">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}

/** What is set where it is of use, and looked for here nevertheless. */
function ElsewhereCard({ settings }: { readonly settings: readonly PlacedSetting[] }) {
  const { words } = useLooking()
  if (settings.length === 0) return null
  return (
    <Card title="On other pages" note="What belongs to an endpoint or an integration is set there.">
      <ul className="settings-links">
        {settings.map(({ name, label, hint, card, address }) => (
          <li key={name}>
            <a href={address}>
              <span className="setting-label">
                <MarkedText text={label} marks={marksOf(words, label)} />
              </span>
              <span className="settings-page-name">
                {card} <ArrowRight aria-hidden />
              </span>
              <span className="field-hint">
                <MarkedText text={hint} marks={marksOf(words, hint)} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface FoundSettings {
  /** Names of those on the page. */
  readonly here: ReadonlySet<string>
  /** What is set on other pages. */
  readonly elsewhere: readonly PlacedSetting[]
  /** What this host does not have, and was looked for nevertheless. */
  readonly absent: readonly PlacedSetting[]
}

/** The settings that have every word of what was typed in their label, hint, card or other words. Nothing typed: all that are here. */
export function findSettings(query: string, capabilities: Capabilities): FoundSettings {
  const words = searchTermsOf(query)
  const found = allSettings.filter((setting) => fits(words, setting))
  const there = found.filter(({ needs }) => needs === undefined || capabilities[needs])
  return {
    here: new Set(there.filter(({ here }) => here).map(({ name }) => name)),
    elsewhere: there.filter(({ here }) => !here),
    absent: words.length === 0 ? [] : found.filter((setting) => !there.includes(setting)),
  }
}

function fits(
  words: readonly string[],
  { label, hint, card, words: more }: PlacedSetting,
): boolean {
  const text = [label, hint, card, more].map((part) => fold(part).text).join('\n')
  return words.every((word) => text.includes(word))
}

/** What Tabscope does as an app of the system. Only where the host is one. */
function DesktopCards({ settings }: { readonly settings: Settings }) {
  const background = useCan('background')
  const loginItem = useCan('loginItem')
  const notifications = useCan('notifications')
  return (
    <>
      {(background || loginItem) && (
        <SettingsCard title="Desktop">
          {background && (
            <SwitchSetting name="background" stored="background" settings={settings} />
          )}
          {loginItem && (
            <SwitchSetting name="open-at-login" stored="openAtLogin" settings={settings} />
          )}
        </SettingsCard>
      )}
      {notifications && (
        <SettingsCard
          title="Notifications"
          note="By the system, and few: what comes in a row is told as one."
        >
          <SwitchSetting name="notify-verdicts" stored="notifyVerdicts" settings={settings} />
          <SwitchSetting name="notify-tunnel" stored="notifyTunnel" settings={settings} />
        </SettingsCard>
      )}
    </>
  )
}
