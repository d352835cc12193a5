import type { Integration } from '#contract/integrations.ts'
import { Segments } from '../../components/Segments.tsx'
import { HistoryList } from './HistoryList.tsx'
import { SavedList } from './SavedList.tsx'
import { useConsole } from './store.ts'

/** What was sent before, and what was saved. */
export function SidePanel({ integration }: { readonly integration: Integration }) {
  const panel = useConsole((state) => state.panel)
  return (
    // The keys of what is in it come through it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      className="console-side"
      aria-label="Earlier requests"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !useConsole.getState().panelOpen) return
        event.stopPropagation()
        useConsole.setState({ panelOpen: false })
        document.querySelector<HTMLElement>('.console-panel-button')?.focus()
      }}
    >
      <div className="side-head">
        <Segments
          label="Earlier requests"
          value={panel}
          options={[
            { value: 'history', label: 'History' },
            { value: 'saved', label: 'Saved' },
          ]}
          onChange={(next) => useConsole.setState({ panel: next })}
        />
      </div>
      {panel === 'history' ? (
        <HistoryList integrationId={integration.id} />
      ) : (
        <SavedList integrationId={integration.id} />
      )}
    </aside>
  )
}
