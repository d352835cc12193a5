import { Icons } from '#kit/icons.tsx'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState, useId } from 'react'
import { Button } from '#kit/Button.tsx'
import { Empty, ErrorNote, Note, WhenLoaded } from '#kit/Note.tsx'
import { Card, Page } from '#kit/Page.tsx'
import { fold, searchTermsOf } from '#kit/text/search-terms.ts'
import { runCommand, useKeys } from '#client/command-registry.ts'
import { useCan, useShell } from '#client/state/app.ts'
import { ListenerCard } from './ListenerCard.tsx'
import { SettingsSearchContext, useRequestedSetting } from '#client/state/setting-target.ts'
import { useSettings } from '#client/state/live-values.ts'
import { UpdatesCard } from './UpdatesCard.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient, useQuery } from '#client/use-client.ts'
import { saveSettings, Setting, SettingsCard, settingText } from './Setting.tsx'
import type { Settings } from '#contract/models.ts'
import { Segments, Switch } from '#kit/Switch.tsx'
import { selectTheme, themes } from '#client/system.ts'
import { allSettings, type PlacedSetting, settingsHere, type SettingName } from './registry.ts'
import type { Capabilities } from '#contract/host.ts'
import * as checks from '#kit/field-checks.ts'
import { StoredField } from '#kit/StoredField.tsx'
import { settingsPlaceOf } from '#client/addresses/pages.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { plural } from '#shared/text/format.ts'
import { SearchField } from '#kit/SearchField.tsx'
import { CopyVersions, CopyablePath, ShowLicences, ShowLog, Versions } from '#parts/AboutFacts.tsx'

/** How long a setting is highlighted after a link led to it, in milliseconds. */
const highlightedFor = 2000

/**
 * Follows the page URL: starts the search in `?find=`, or scrolls to a setting, focuses it and returns its name for a moment. Repeats this for each request.
 */
function useHighlightedSetting(
  page: RefObject<HTMLElement | null>,
  search: (query: string) => void,
): string | null {
  const hash = useShell((state) => state.hash)
  const requestCount = useRequestedSetting((state) => state.count)
  /** The request whose highlight has ended. */
  const [ended, setEnded] = useState<string | null>(null)
  const { name, find } = settingsPlaceOf(hash)
  const request = `${requestCount} ${hash}`
  useEffect(() => {
    search(find)
    if (name === null) return undefined
    // After rendering, because the previous search may have hidden the setting.
    const go = setTimeout(() => focusSetting(page.current, name))
    const end = setTimeout(() => setEnded(request), highlightedFor)
    return () => {
      clearTimeout(go)
      clearTimeout(end)
    }
  }, [request, name, find, search, page])
  return ended === request ? null : name
}

const focusable = 'input:checked, input:not([type="radio"]), select, button, a[href]'

function focusSetting(page: HTMLElement | null, name: string): void {
  const setting = page?.querySelector<HTMLElement>(`[data-setting="${name}"]`)
  if (!setting) return
  setting.scrollIntoView({ block: 'center' })
  setting.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true })
}

const gib = 1024 * 1024 * 1024

function RetentionCard({ settings }: { settings: Settings }) {
  const client = useClient()
  async function update(change: Partial<Settings>): Promise<void> {
    await client.call('settings.update', change)
  }
  const number = settingText('keep-deliveries')
  const bytes = settingText('keep-bytes')
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
          store={(text) => update({ keepDeliveries: checks.numberOf(text) })}
          numeric
          after={<span className="flex-none text-dim">deliveries</span>}
        />
      </Setting>
      <Setting name="keep-bytes">
        <StoredField
          {...bytes}
          stored={String(Number((settings.keepBytes / gib).toFixed(3)))}
          check={(text) => checks.anyNumber(text, 0.001, 1024)}
          store={(text) => update({ keepBytes: Math.round(checks.numberOf(text) * gib) })}
          numeric
          after={<span className="flex-none text-dim">GiB on disk</span>}
        />
      </Setting>
      <Setting name="keep-days">
        <StoredField
          {...settingText('keep-days')}
          stored={settings.keepDays === 0 ? '' : String(settings.keepDays)}
          check={(text) => (text === '' ? null : checks.wholeNumber(text, 1, 3650))}
          store={(text) => update({ keepDays: text === '' ? 0 : checks.numberOf(text) })}
          numeric
          after={<span className="flex-none text-dim">days</span>}
        />
      </Setting>
    </SettingsCard>
  )
}

function NetworkCard({ settings: { proxy, caFile } }: { settings: Settings }) {
  const client = useClient()
  const problem = useShell((state) => state.caFileProblem)
  return (
    <SettingsCard title="Network" note="For the requests that Tabscope sends.">
      <Setting name="proxy">
        <StoredField
          {...settingText('proxy')}
          stored={proxy}
          check={(text) => checks.atMost(text, 2000)}
          store={async (text) => {
            await client.call('settings.update', { proxy: text || 'system' })
          }}
          mono
        />
      </Setting>
      <Setting name="ca-file">
        <StoredField
          {...settingText('ca-file')}
          stored={caFile}
          check={(text) => checks.atMost(text, 4096)}
          store={async (text) => {
            await client.call('settings.update', { caFile: text })
            useShell.setState({ caFileProblem: null })
          }}
          mono
        />
        <ErrorNote error={problem} />
      </Setting>
    </SettingsCard>
  )
}

function ThemeCard({ theme }: Pick<Settings, 'theme'>) {
  const client = useClient()
  const { label, hint } = settingText('theme')
  return (
    <SettingsCard title="Appearance">
      <Setting name="theme">
        <div className="grid justify-items-start gap-3">
          <p className="text-s font-semibold text-mid">{label}</p>
          <Segments
            label="Theme"
            value={theme}
            options={themes}
            onChange={(next) => selectTheme(client, next)}
          />
          <p className="field-hint text-s text-dim">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}

/** The settings page with its search. A value is saved when its field loses the focus. */
export function SettingsPage() {
  const settings = useSettings((state) => state.settings)
  const capabilities = useShell((state) => state.capabilities)
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const highlighted = useHighlightedSetting(page, setQuery)
  useKeys({ 'settings-find': () => field.current?.focus() })
  const found = useMemo(() => findSettings(query, capabilities), [query, capabilities])
  const search = useMemo(() => ({ shown: found.here, highlighted }), [found, highlighted])
  if (!settings) return null
  const count = found.here.size + found.elsewhere.length
  return (
    <SettingsSearchContext value={search}>
      <Page
        lead="Changes are saved when you leave a field or press Enter."
        help={<LearnMore page="settings" />}
        actions={
          <SearchField
            label="Find a setting"
            className="w-[min(var(--measure-menu),100%)] flex-none pr-3 [&>svg]:text-dim"
            large
            query={query}
            onChange={setQuery}
            field={field}
          >
            <span className="flex-none text-s text-dim" role="status">
              {query.trim() !== '' &&
                (count === 0 ? 'None found' : `${plural(count, 'setting', 'settings')} found`)}
            </span>
          </SearchField>
        }
      >
        <div className="settings grid gap-6 [&_.empty]:py-11 [&_[hidden]]:hidden" ref={page}>
          <ThemeCard theme={settings.theme} />
          <ListenerCard settings={settings} />
          <RetentionCard settings={settings} />
          <NetworkCard settings={settings} />
          <DesktopCards settings={settings} />
          <UpdatesCard settings={settings} />
          <BackupCard />
          <ClearCard />
          <AboutCard />
          <OtherPagesCard settings={found.elsewhere} />
          {found.absent.map(({ name, label }) => (
            <Note key={name} tone="unsigned">
              {`“${label}” is only available in the desktop app.`}
            </Note>
          ))}
          {count === 0 && found.absent.length === 0 && (
            <Empty
              icon={Icons.SearchX}
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
              Use fewer or different words.
            </Empty>
          )}
        </div>
      </Page>
    </SettingsSearchContext>
  )
}

function BackupCard() {
  const client = useClient()
  const [path, setPath] = useState<string | null>(null)
  const { label, hint } = settingText('backup')
  const backUp = useAction(async () => {
    const backup = await client.call('app.backUp', {})
    if (backup.path !== null) setPath(backup.path)
  })
  return (
    <SettingsCard title="Backup">
      <Setting name="backup">
        <div className="grid justify-items-start gap-3">
          <Button icon={Icons.Download} busy={backUp.busy} onClick={() => backUp.start()}>
            {label}
          </Button>
          {path !== null && (
            <Note tone="info">
              Saved as <CopyablePath path={path} label="Copy path of the backup" />
            </Note>
          )}
          <ErrorNote error={backUp.error} />
          <p className="field-hint text-s text-dim">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}

function ClearCard() {
  const stored = useShell((state) => state.stats.deliveries)
  const { hint } = settingText('clear')
  return (
    <SettingsCard title="Deliveries">
      <Setting name="clear">
        <div className="grid justify-items-start gap-3">
          <Button
            kind="danger"
            icon={Icons.Trash2}
            disabled={stored === 0}
            onClick={() => runCommand('deliveries-clear')}
          >
            Clear deliveries
          </Button>
          <p className="field-hint text-s text-dim">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}

function OtherPagesCard({ settings }: { settings: readonly PlacedSetting[] }) {
  if (settings.length === 0) return null
  return (
    <Card title="On other pages" note="Settings of endpoints, integrations and other parts.">
      <ul className="lined [&_a]:-mx-4 [&_a]:my-0 [&_a]:text-inherit [&_a]:no-underline [&_a:hover]:bg-hover">
        {settings.map(({ name, label, hint, card, address }) => (
          <li key={name}>
            <a className="grid grid-cols-1-auto gap-x-5 rounded-md px-4 py-3" href={address}>
              <span className="font-semibold">{label}</span>
              <span className="inline-flex items-center gap-2 text-s text-info">
                {card} <Icons.ArrowRight />
              </span>
              <span className="field-hint text-s text-dim">{hint}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface FoundSettings {
  /** The names of the matching settings on this page. */
  readonly here: ReadonlySet<string>
  /** Matching settings on other pages. */
  readonly elsewhere: readonly PlacedSetting[]
  /** Matching settings that this host does not support. */
  readonly absent: readonly PlacedSetting[]
}

/** The settings whose label, hint, card or other words contain every search term. Without a query, all settings on this page. */
export function findSettings(query: string, capabilities: Capabilities): FoundSettings {
  const words = searchTermsOf(query)
  const found = allSettings.filter((setting) => matches(words, setting))
  const supported = found.filter(({ needs }) => needs === undefined || capabilities[needs])
  return {
    here: new Set(supported.filter(({ here }) => here).map(({ name }) => name)),
    elsewhere: supported.filter(({ here }) => !here),
    absent: words.length === 0 ? [] : found.filter((setting) => !supported.includes(setting)),
  }
}

function matches(
  words: readonly string[],
  { label, hint, card, words: more }: PlacedSetting,
): boolean {
  const text = [label, hint, card, more].map((part) => fold(part).text).join('\n')
  return words.every((word) => text.includes(word))
}

function DesktopCards({ settings }: { settings: Settings }) {
  const background = useCan('background')
  const notifications = useCan('notifications')
  return (
    <>
      {background && (
        <SettingsCard title="Desktop">
          <SwitchSetting name="background" settings={settings} />
          <SwitchSetting name="prevent-sleep" settings={settings} />
          <SwitchSetting name="hardware-acceleration" settings={settings} />
        </SettingsCard>
      )}
      {notifications && (
        <SettingsCard
          title="Notifications"
          note="System notifications. Events in quick succession are combined."
        >
          <SwitchSetting name="notify-verdicts" settings={settings} />
          <SwitchSetting name="notify-tunnel" settings={settings} />
          <SwitchSetting name="notify-alerts" settings={settings} />
        </SettingsCard>
      )}
    </>
  )
}

interface SwitchSettingProps {
  name:
    | 'background'
    | 'prevent-sleep'
    | 'hardware-acceleration'
    | 'notify-verdicts'
    | 'notify-tunnel'
    | 'notify-alerts'
  settings: Settings
}

function SwitchSetting({ name, settings }: SwitchSettingProps) {
  const client = useClient()
  const id = useId()
  const { label, hint, stored } = settingsHere[name]
  return (
    <Setting name={name}>
      <div className="flex items-start gap-5">
        <Switch
          label={label}
          describedBy={id}
          on={settings[stored]}
          onChange={(on) => saveSettings(client, { [stored]: on })}
        />
        <div>
          <p className="font-semibold" aria-hidden>
            {label}
          </p>
          <p className="field-hint text-s text-dim" id={id}>
            {hint}
          </p>
        </div>
      </div>
    </Setting>
  )
}

function AboutCard() {
  const query = useQuery('app.about', {})
  return (
    <SettingsCard title="About">
      <WhenLoaded query={query}>
        {(about) => (
          <>
            <NamedSetting name="version">
              <Versions about={about} />
              <CopyVersions about={about} />
            </NamedSetting>
            <NamedSetting name="data-folder">
              <CopyablePath path={about.dataDir} label="Copy data folder path" />
            </NamedSetting>
            <NamedSetting name="log-file">
              <CopyablePath path={about.logFile} label="Copy log path">
                <ShowLog />
              </CopyablePath>
            </NamedSetting>
            <NamedSetting name="licences">
              <ShowLicences />
            </NamedSetting>
          </>
        )}
      </WhenLoaded>
    </SettingsCard>
  )
}

function NamedSetting({ name, children }: { name: SettingName; children: ReactNode }) {
  const { label, hint } = settingText(name)
  return (
    <Setting name={name}>
      <div>
        <p className="font-semibold">{label}</p>
        <p className="field-hint text-s text-dim">{hint}</p>
      </div>
      {children}
    </Setting>
  )
}
