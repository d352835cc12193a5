import { FileOutput, Pause, Play, WholeWord, X } from 'lucide-react'
import { looksInside, valuesOf, withInside, withValues } from '#contract/filter/edit.ts'
import { verdicts } from '#contract/verdicts.ts'
import { Button } from '../../components/Button.tsx'
import { VerdictIcon, verdictWord } from '../../components/Mark.tsx'
import { count } from '../../components/text/numbers.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { listAllIntegrations, useAuthorization } from '../authorization/store.ts'
import { toggled } from './filter/CheckMenu.tsx'
import { FilterField } from './filter/FilterField.tsx'
import { FilterHelp } from './filter/FilterHelp.tsx'
import { FilterMenus } from './filter/FilterMenus.tsx'
import { filterFault } from './filter/reading.ts'
import { SavedFilters } from './filter/SavedFilters.tsx'
import { SearchState } from './filter/SearchState.tsx'
import { TermChips } from './filter/TermChips.tsx'
import { askExport } from '../logs/export/asking.ts'
import { useKeys } from '../shell/command-registry.ts'
import { useCan } from '../shell/store.ts'
import { useEditable, useLog } from './scope/scope.ts'
import { readableFilter } from './filter/readable.ts'
import { queryOf, setFilterText, togglePause, useDeliveries } from './store.ts'
import './FilterBar.css'

/** Which deliveries the list shows, as text and as chips that write it, and whether the list takes in what arrives. */
export function FilterBar() {
  const text = useDeliveries((state) => state.text)
  const filter = useDeliveries((state) => state.filter)
  const narrowed = useDeliveries((state) => queryOf(state) !== '')
  const editable = useEditable()
  const editing = useCan('editing')
  const unreadable = filterFault(text) !== null
  const chosen = valuesOf(text, 'verdict')
  return (
    <div className="filter-bar">
      <div className="filter-line">
        <FilterField />
        {/* Nothing arrives in a log. */}
        {editable && <PauseButton />}
        {editing && <ExportButton />}
      </div>
      <div className="filter-line filter-chips" role="group" aria-label="Filter">
        <FilterMenus text={text} disabled={unreadable} />
        <SavedFilters />
        <FilterHelp />
        <span className="filter-gap" />
        {verdicts.map((verdict) => (
          <button
            key={verdict}
            type="button"
            className="chip-verdict"
            data-tone={verdict}
            disabled={unreadable}
            aria-pressed={chosen.includes(verdict)}
            onClick={() => setFilterText(withValues(text, 'verdict', toggled(chosen, verdict)))}
          >
            <VerdictIcon verdict={verdict} />
            <span>{verdictWord(verdict)}</span>
          </button>
        ))}
      </div>
      {narrowed && (
        <div className="filter-line filter-terms">
          <IntegrationChip />
          <TermChips text={unreadable ? filter : text} />
          <InsideButton text={text} />
          <span className="filter-gap" />
          <SearchState />
        </div>
      )}
    </div>
  )
}

/** Whether the words of the filter are found inside other words too. */
function InsideButton({ text }: { readonly text: string }) {
  const inside = looksInside(text)
  if (inside === null) return null
  return (
    <button
      type="button"
      className="chip-menu"
      data-chosen={inside || undefined}
      aria-pressed={inside}
      title="Find text inside words too. Reads every delivery, so it takes longer."
      onClick={() => setFilterText(withInside(text, !inside))}
    >
      <WholeWord aria-hidden /> Inside words
    </button>
  )
}

/** That only the deliveries of one integration are listed, with the way to all. */
function IntegrationChip() {
  const id = useDeliveries((state) => state.integrationId)
  const name = useAuthorization(
    ({ integrations }) => integrations.find((integration) => integration.id === id)?.name,
  )
  if (id === null) return null
  return (
    <span className="chip-term">
      <span className="cut">Integration: {visible(cut(name ?? String(id), 40))}</span>
      <button
        type="button"
        aria-label="Show all integrations"
        title="Show the deliveries of all integrations"
        onClick={() => listAllIntegrations(true)}
      >
        <X aria-hidden />
      </button>
    </span>
  )
}

/** What the list shows, as a file. */
function ExportButton() {
  const log = useLog()
  const ask = (): void => {
    if (!readableFilter()) return
    const filter = queryOf(useDeliveries.getState())
    askExport({ log, which: filter === '' ? 'all' : 'filter', filter })
  }
  useKeys({ export: ask })
  return (
    <Button
      className="filter-export"
      hint="s"
      icon={<FileOutput aria-hidden />}
      title="Export what the list shows, as a file"
      onClick={ask}
    >
      <span className="chip-word">Export</span>
    </Button>
  )
}

function PauseButton() {
  const paused = useDeliveries((state) => state.paused)
  const waiting = useDeliveries((state) => state.waiting)
  return (
    <Button
      className="pause"
      aria-pressed={paused}
      hint="p"
      icon={paused ? <Play aria-hidden /> : <Pause aria-hidden />}
      onClick={togglePause}
      title={paused ? 'Take in what arrived meanwhile' : 'Hold the list still; deliveries are kept'}
    >
      {paused ? (waiting > 0 ? `Paused, ${count(waiting)} waiting` : 'Paused') : 'Pause'}
    </Button>
  )
}
