import { ArrowRight, SearchX, Trash2, Search, X } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState, useId } from 'react'
import { Text, Row, Stack } from '../../ui/Layout.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Note } from '../../ui/Note.tsx'
import { Card, Page } from '../../ui/Page.tsx'
import { fold, marksOf, searchTermsOf } from '../../ui/text/search-terms.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useCan, useShell } from '../../state/app.ts'
import { AboutCard } from './AboutCard.tsx'
import { ListenerCard } from './ListenerCard.tsx'
import { LookingContext, useLooking, useWantedSetting } from '../../state/setting-target.ts'
import { useSettings } from '../../state/settings.ts'
import { UpdatesCard } from './UpdatesCard.tsx'
import { useClient } from '../../platform/use-client.ts'
import { openGuide } from '../guide/index.ts'
import { Setting, SettingsCard, useSettingText } from './Setting.tsx'
import { openDialog } from '../../platform/dialogs.ts'
import type { Settings } from '#contract/models.ts'
import { Segments } from '../../ui/Segments.tsx'
import { chooseTheme } from '../../platform/theme.ts'
import { MarkedText } from '../../ui/MarkedText.tsx'
import { allSettings, type PlacedSetting, settingsHere, type SettingName } from './registry.ts'
import type { Capabilities } from '#contract/host.ts'
import * as checks from '../../platform/field-checks.ts'
import { StoredField } from './StoredField.tsx'
import { settingsPlaceOf } from '../../routes/settings.ts'
import { LearnMore } from '../help/index.ts'
import { counted } from '../../ui/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { Switch } from '../../ui/Switch.tsx'
import { say } from '../../platform/toasts.ts'
import './SettingsPage.css'

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
    <SettingsCard
      title="Retention"
      note="The oldest deliveries are deleted first. Pinned deliveries are kept."
    >
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
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

function ThemeCard({ theme }: Pick<Settings, 'theme'>) {
  const client = useClient()
  const { label, hint } = useSettingText('theme')
  return (
    <SettingsCard title="Appearance">
      <Setting name="theme">
        <Stack gap={3} className="setting-field">
          <Text as="p" size="s" weight="semibold" tone="mid">
            {label}
          </Text>
          <Segments
            label="Theme"
            value={theme}
            options={themes}
            onChange={(next) => chooseTheme(client, next)}
          />
          <p className="field-hint">{hint}</p>
        </Stack>
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
        lead="Changes are saved when you leave a field or press Enter."
        help={<LearnMore page="settings" />}
        actions={<FindField query={query} found={count} onChange={setQuery} field={field} />}
      >
        <Stack gap={6} className="settings" ref={place}>
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
              {`“${label}” is only available in the desktop app.`}
            </Note>
          ))}
          {count === 0 && found.absent.length === 0 && (
            <Empty
              icon={<SearchX aria-hidden />}
              title="No results"
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
              Try fewer or other words.
            </Empty>
          )}
        </Stack>
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
        <Stack gap={3} className="setting-field">
          <Button onClick={() => openGuide(client)}>Open the guided start</Button>
          <p className="field-hint">{hint}</p>
        </Stack>
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
        <Stack gap={3} className="setting-field">
          <Button
            kind="danger"
            icon={<Trash2 aria-hidden />}
            disabled={kept === 0}
            onClick={() => openDialog('clear')}
          >
            Clear deliveries
          </Button>
          <p className="field-hint">{hint}</p>
        </Stack>
      </Setting>
    </SettingsCard>
  )
}

/** What is set where it is of use, and looked for here nevertheless. */
function ElsewhereCard({ settings }: { readonly settings: readonly PlacedSetting[] }) {
  const { words } = useLooking()
  if (settings.length === 0) return null
  return (
    <Card title="On other pages" note="Settings of endpoints, integrations and other parts.">
      <ul className="lined settings-links">
        {settings.map(({ name, label, hint, card, address }) => (
          <li key={name}>
            <a className="stack gap-x-5 columns-1-auto pad-y-3 pad-x-4 round-m" href={address}>
              <Text weight="semibold">
                <MarkedText text={label} marks={marksOf(words, label)} />
              </Text>
              <Row as="span" inline align="center" gap={2} size="s" className="settings-page-name">
                {card} <ArrowRight aria-hidden />
              </Row>
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
          note="System notifications. Events in quick succession are combined."
        >
          <SwitchSetting name="notify-verdicts" stored="notifyVerdicts" settings={settings} />
          <SwitchSetting name="notify-tunnel" stored="notifyTunnel" settings={settings} />
        </SettingsCard>
      )}
    </>
  )
}

interface Props {
  readonly query: string
  readonly found: number
  readonly onChange: (query: string) => void
  readonly field: RefObject<HTMLInputElement | null>
}

/** Looks for settings as one types. */
function FindField({ query, found, onChange, field }: Props) {
  const looking = query.trim() !== ''
  return (
    <div className="input-frame settings-find" data-large role="search">
      <Search aria-hidden />
      <input
        ref={field}
        type="text"
        aria-label="Find a setting"
        placeholder="Find a setting"
        aria-keyshortcuts="/"
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing || query === '') return
          event.preventDefault()
          onChange('')
        }}
      />
      <Text fixed tone="dim" size="s" role="status">
        {looking && (found === 0 ? 'None found' : `${counted(found, 'setting', 'settings')} found`)}
      </Text>
      {query === '' && <kbd aria-hidden>/</kbd>}
      {query !== '' && (
        <IconButton
          label="Clear (Esc)"
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

interface SwitchSettingProps {
  readonly name: SettingName
  readonly stored: keyof Settings &
    ('background' | 'openAtLogin' | 'notifyVerdicts' | 'notifyTunnel')
  readonly settings: Settings
}

/** Something that is on or off, at once. */
function SwitchSetting({ name, stored, settings }: SwitchSettingProps) {
  const client = useClient()
  const id = useId()
  const { label, hint } = useSettingText(name)
  function turn(on: boolean): void {
    client.call('settings.update', { [stored]: on }).then(
      (now) => useSettings.setState({ settings: now }),
      (error: unknown) => say('invalid', sentence(error)),
    )
  }
  return (
    <Setting name={name}>
      <Row gap={5} align="start">
        <Switch
          label={settingsHere[name].label}
          describedBy={id}
          on={settings[stored]}
          onChange={turn}
        />
        <div>
          <Text as="p" weight="semibold" aria-hidden>
            {label}
          </Text>
          <p className="field-hint" id={id}>
            {hint}
          </p>
        </div>
      </Row>
    </Setting>
  )
}
