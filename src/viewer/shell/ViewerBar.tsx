import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Logo } from '#renderer/components/Logo.tsx'
import { Segments } from '#renderer/components/Segments.tsx'
import { minuteOf } from './minute.ts'
import { cut, visible } from '#renderer/components/text/visible.ts'
import { useSettings } from '#renderer/features/settings/store.ts'
import type { Settings } from '#contract/models.ts'
import type { PageLog } from '../log/log.ts'
import { AboutDialog } from './AboutDialog.tsx'
import { keepTheme } from './theme.ts'

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

function choose(theme: Settings['theme']): void {
  keepTheme(theme)
  useSettings.setState(({ settings }) => ({ settings: settings && { ...settings, theme } }))
}

export type ViewName = 'deliveries' | 'authorization'

const views = [
  { value: 'deliveries', label: 'Deliveries' },
  { value: 'authorization', label: 'Authorization' },
] as const

interface Props {
  readonly log: PageLog
  readonly view: ViewName
  readonly onView: (view: ViewName) => void
}

/** Which log this is, what was taken out of it, and light or dark. */
export function ViewerBar({ log, view, onView }: Props) {
  const { head, integrations, tokens, runs } = log
  const more = integrations.length + tokens.length + runs.length > 0
  const [about, setAbout] = useState(false)
  const theme = useSettings((state) => state.settings?.theme ?? 'system')
  return (
    <header className="viewer-bar">
      <div className="viewer-brand">
        <Logo />
        <span className="viewer-title">Event log</span>
      </div>
      <p className="viewer-facts">
        <span>exported {minuteOf(Date.parse(head.exportedAt))}</span>
        <span>{visible(cut(head.app, 30))}</span>
      </p>
      <button
        type="button"
        className="viewer-redaction"
        data-tone={head.redaction.on ? 'valid' : 'missing'}
        onClick={() => setAbout(true)}
      >
        {head.redaction.on ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
        {head.redaction.on ? 'Redacted' : 'Not redacted'}
        <span className="viewer-more">About this log</span>
      </button>
      <span className="viewer-gap" />
      {more && <Segments label="Show" value={view} options={views} onChange={onView} />}
      <Segments label="Theme" value={theme} options={themes} onChange={choose} />
      <AboutDialog log={log} open={about} onClose={() => setAbout(false)} />
    </header>
  )
}
