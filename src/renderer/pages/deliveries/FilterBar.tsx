import { formatCount } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { topTerms, without, withTerm } from '#contract/filter/edit.ts'
import { cx } from '#kit/cx.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { escapeControls, shortText } from '#kit/text/visible.ts'
import { listAllIntegrations, useAuthorization } from '#client/state/authorization.ts'
import { GroupMenu } from './GroupList.tsx'
import { FilterField } from './filter/FilterField.tsx'
import { checkOption, FilterMenus, ChipMenu } from './filter/FilterMenus.tsx'
import { filterFault } from '#client/state/filter.ts'
import { SavedFilters } from './filter/SavedFilters.tsx'
import { openExportDialog } from '#parts/event-logs/export/selection.ts'
import { guideAddress } from '#client/addresses/guide.ts'
import { useKeys } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import {
  readableFilter,
  queryOf,
  setFilterText,
  togglePause,
  useDeliveries,
} from '#client/state/deliveries.ts'
import { askToHold } from '#client/state/hold.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { useState, type ComponentProps } from 'react'
import {
  addBodyColumn,
  allColumns,
  moveColumn,
  setColumns,
  shownColumns,
  toggleColumn,
  useListColumns,
} from '#client/state/list-columns.ts'
import { Field } from '#kit/Field.tsx'
import './FilterBar.css'

function TermChips({ text }: { text: string }) {
  const parsed = parseFilter(text)
  const terms = parsed.ok ? topTerms(parsed.filter) : []
  return terms.map((term) => {
    const words = shortText(text.slice(term.from, term.to), 36)
    return (
      <Chip
        key={term.from}
        mono
        words={words}
        label={`Remove ${words}`}
        onClick={() => setFilterText(without(text, term))}
      />
    )
  })
}

interface ChipProps extends ComponentProps<typeof IconButton> {
  words: string
  mono?: boolean
}

function Chip({ words, mono, ...button }: ChipProps) {
  return (
    <span
      className={cx(
        'inline-flex max-w-(--measure-aside) min-w-0 items-center gap-1 rounded-sm bg-accent-soft pl-3 text-xs font-semibold',
        mono && 'mono',
      )}
    >
      <span className="cut">{words}</span>
      <IconButton {...button}>
        <Icons.X />
      </IconButton>
    </span>
  )
}

/** The filter as a text field and as chips, and the buttons that group, choose columns and pause the list. */
export function FilterBar() {
  const text = useDeliveries((state) => state.text)
  const filter = useDeliveries((state) => state.filter)
  const narrowed = useDeliveries((state) => queryOf(state) !== '')
  const editable = useEditable()
  // While the text is invalid, the menus change the filter that the list shows.
  const base = filterFault(text) === null ? text : filter
  return (
    <div className="filter-bar @container/filter grid gap-2 px-5 pt-4 pb-3">
      <div className="flex min-w-0 items-start gap-3">
        <FilterField />
        <GroupMenu />
        <ColumnMenu />
        {/* A log receives no deliveries. */}
        {editable && <PauseButton />}
        {editable && <HoldButton />}
        <ExportButton />
      </div>
      <div
        className="filter-chips flex min-w-0 items-center gap-2"
        role="group"
        aria-label="Filter"
      >
        <FilterMenus text={base} />
        <SavedFilters />
        <FilterHelp />
        <span className="flex-1" />
        <NewRows />
        {narrowed && <SearchState />}
      </div>
      {narrowed && (
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <IntegrationChip />
          <TermChips text={base} />
        </div>
      )}
    </div>
  )
}

function IntegrationChip() {
  const id = useDeliveries((state) => state.integrationId)
  const name = useAuthorization(
    ({ integrations }) => integrations.find((integration) => integration.id === id)?.name,
  )
  if (id === null) return null
  return (
    <Chip
      words={`Integration: ${shortText(name ?? String(id), 40)}`}
      label="Show all integrations"
      title="Show the deliveries of all integrations"
      onClick={() => listAllIntegrations(true)}
    />
  )
}

function ExportButton() {
  const log = useLog()
  const ask = (): void => {
    if (!readableFilter()) return
    const filter = queryOf(useDeliveries.getState())
    openExportDialog({ log, which: filter === '' ? 'all' : 'filter', filter })
  }
  useKeys({ export: ask })
  return (
    <Button
      className="filter-export"
      hint="s"
      icon={Icons.FileOutput}
      title="Export the listed deliveries to a file"
      onClick={ask}
    >
      <span className="chip-word">Export</span>
    </Button>
  )
}

/** Asks which deliveries to hold. Its filter is that of the list. */
export function holdListed(): void {
  if (!readableFilter()) return
  const { filter, integrationId } = useDeliveries.getState()
  askToHold(integrationId === null ? filter : withTerm(filter, `integration:${integrationId}`))
}

function HoldButton() {
  return (
    <Button
      className="filter-export"
      hint="h"
      icon={Icons.Hand}
      title="Hold deliveries before they are forwarded, or before the response"
      onClick={holdListed}
    >
      <span className="chip-word">Hold</span>
    </Button>
  )
}

function showNewest(): void {
  const list = document.querySelector<HTMLElement>('[data-delivery-list]')
  list?.scrollTo({ top: 0 })
  useDeliveries.setState(({ selectedId }) => ({
    atTop: true,
    paused: false,
    releasedId: selectedId,
    sort: null,
  }))
  list?.focus()
}

function NewRows() {
  const waiting = useDeliveries((state) => state.waiting)
  const atLeast = useDeliveries((state) => state.waitingAtLeast)
  const paused = useDeliveries((state) => state.paused)
  return (
    <div aria-live="polite">
      {waiting > 0 && !paused && (
        <Button small kind="primary" icon={Icons.ArrowUp} onClick={showNewest}>
          {formatCount(waiting)}
          {atLeast && '+'} new
        </Button>
      )}
    </div>
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
      icon={paused ? Icons.Play : Icons.Pause}
      onClick={togglePause}
      title={paused ? 'Show new deliveries' : 'Pause the list. Deliveries are still captured'}
    >
      {paused ? (waiting > 0 ? `Paused, ${formatCount(waiting)} waiting` : 'Paused') : 'Pause'}
    </Button>
  )
}

function SearchState() {
  const found = useDeliveries((state) => (state.revision >= 0 ? state.rows.count : 0))
  const { complete, searched } = useDeliveries((state) => state.search)
  const stopped = useDeliveries((state) => state.stopped)
  const loading = useDeliveries((state) => state.phase === 'loading')
  const all = useShell((state) => state.stats.deliveries)
  if (loading) return <span className="text-s text-dim">Searching</span>
  if (complete) {
    return (
      <span
        className="text-s whitespace-nowrap text-mid"
        role="status"
        aria-label="Matching deliveries"
      >
        <b className="text-ink">{formatCount(found)}</b> of {formatCount(all)}
      </span>
    )
  }
  const share = Math.floor(searched * 100)
  return (
    <span className="inline-flex items-center gap-4 text-s whitespace-nowrap text-mid">
      <span
        className="search-bar h-2 w-(--measure-number) overflow-hidden rounded-sm bg-sunken [&_span]:block [&_span]:h-full [&_span]:bg-accent"
        role="progressbar"
        aria-label="Search progress"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
      >
        <span style={{ width: `${share}%` }} />
      </span>
      <span>
        {stopped && 'at least '}
        <b className="text-ink">{formatCount(found)}</b>
        {!stopped && ' so far'}, {share} % searched
      </span>
      <Button
        kind="quiet"
        small
        icon={stopped ? Icons.Play : Icons.Square}
        onClick={() => useDeliveries.setState({ stopped: !stopped })}
      >
        {stopped ? 'Resume' : 'Stop'}
      </Button>
    </span>
  )
}

function FilterHelp() {
  const address = guideAddress('filters')
  useKeys({ 'filter-help': () => location.assign(address) })
  return (
    <a
      className="button"
      data-kind="quiet"
      data-small
      href={address}
      aria-label="Filter language"
      aria-keyshortcuts="f"
      title="Filter language (F)"
    >
      <Icons.CircleHelp />
    </a>
  )
}

function ColumnMenu() {
  const chosen = useListColumns()
  const shown = shownColumns(chosen)
  const [open, setOpen] = useState(false)
  useKeys({ columns: () => setOpen(true) })
  return (
    <ChipMenu
      icon={Icons.Columns2}
      words="Columns"
      label="Columns of the list"
      align="end"
      selected={chosen.columns !== null}
      button={{ kind: 'plain', small: false }}
      open={open}
      onOpenChange={setOpen}
    >
      <ul className="max-h-[min(var(--measure-panel),60vh)] overflow-auto">
        {allColumns(shown).map(({ id, label, mono }) => {
          const at = shown.findIndex((column) => column.id === id)
          return (
            <li className="flex items-center gap-3" key={id}>
              <label className={`${checkOption} flex-1`}>
                <input type="checkbox" checked={at >= 0} onChange={() => toggleColumn(id)} />
                <span className={mono && id.startsWith('body:') ? 'mono cut' : 'cut'}>
                  {escapeControls(label)}
                </span>
              </label>
              {at >= 0 && (
                <>
                  <IconButton
                    label={`Move ${label} up`}
                    disabled={at === 0}
                    onClick={() => moveColumn(id, -1)}
                  >
                    <Icons.ArrowUp />
                  </IconButton>
                  <IconButton
                    label={`Move ${label} down`}
                    disabled={at === shown.length - 1}
                    onClick={() => moveColumn(id, 1)}
                  >
                    <Icons.ArrowDown />
                  </IconButton>
                </>
              )}
            </li>
          )
        })}
      </ul>
      <BodyColumnForm />
      {chosen.columns !== null && (
        <Button kind="quiet" onClick={() => setColumns(null)}>
          Use the standard columns
        </Button>
      )}
    </ChipMenu>
  )
}

function BodyColumnForm() {
  const [path, setPath] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  return (
    <form
      className="flex items-end gap-3 border-t border-line-soft px-3 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        const added = addBodyColumn(path.trim())
        setIsWrong(!added)
        if (added) setPath('')
      }}
    >
      <div className="min-h-0 min-w-0 flex-1">
        <Field
          label="Value of the body"
          placeholder="data.itemNames[0]"
          value={path}
          maxLength={200}
          error={isWrong ? 'Write a path such as data.total or data.itemNames[0].' : null}
          onChange={(event) => setPath(event.target.value)}
        />
      </div>
      <Button type="submit" disabled={path.trim() === ''}>
        Add
      </Button>
    </form>
  )
}
