import { formatCount, plural } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '#kit/Button.tsx'
import { Empty, EmptyFailure, Loading } from '#kit/Note.tsx'
import { focusAfter } from '#kit/focus.ts'
import { SplitPane } from '#kit/SplitPane.tsx'
import { useClient } from '#client/use-client.ts'
import { askWhereTo, editAndSend, rehearseSelected, resendSelected } from '#parts/send/resend.ts'
import { ResendDialog, JobDialog } from '#parts/send/ResendDialog.tsx'
import { useKeys } from '#client/command-registry.ts'
import { heldSession, useCompose } from '#parts/composer/store.ts'
import { CompareBar, compare } from '#parts/diff/CompareBar.tsx'
import { useShell } from '#client/state/app.ts'
import { onDemand } from '#kit/on-demand.tsx'
import { GroupList } from './GroupList.tsx'
import { Notices } from './Notices.tsx'
import { DeliveryList } from './DeliveryList.tsx'
import { FilterBar, holdListed } from './FilterBar.tsx'
import { useSearchHits } from './filter/FilterField.tsx'
import {
  SelectionBar,
  confirmDeletion,
  openBulkDialog,
  selectionOr,
  type BulkTarget,
  closeBulkDialog,
  useBulkDialog,
  tagLongest,
  tagsMost,
} from './selection/SelectionBar.tsx'
import { useEditable, useLog } from '#client/state/scope.ts'
import { clearSelection, hasSelection, useSelection } from '#client/state/selection.ts'
import { closeDelivery, queryOf, setFilterText, useDeliveries } from '#client/state/deliveries.ts'
import { escapeControls, shortText } from '#kit/text/visible.ts'
import { listAllIntegrations } from '#client/state/authorization.ts'
import { hasEnded } from '#client/state/filter.ts'
import { isHolding, useHold } from '#client/state/hold.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { useForm } from '#kit/use-form.ts'
import { Field } from '#kit/Field.tsx'
import { toast } from '#kit/toasts.ts'
import { useSuggestions } from './filter/completions.ts'
// Shared with parts that are loaded without the detail.
import '#kit/Tabs.css'
import './detail/DetailPane.css'
import './detail/Ticket.css'
import '#parts/body/BodyView.css'
import './DeliveriesPage.css'

interface Props {
  /** Shown in place of the list before the first delivery. Absent for logs, which cannot receive any. */
  fresh?: ReactNode
}

function closeToList(): void {
  focusAfter(closeDelivery, () => document.querySelector<HTMLElement>('[data-delivery-list]'))
}

const HeldEditor = lazy(async () => ({
  default: (await import('#parts/composer/RequestParts.tsx')).HeldEditor,
}))
const SaveScenario = onDemand(
  async () => (await import('./selection/SaveScenario.tsx')).SaveScenario,
)
const DetailPane = onDemand(async () => (await import('./detail/DetailPane.tsx')).DetailPane)

function deselect(): void {
  if (hasSelection(useSelection.getState())) clearSelection()
  else useDeliveries.setState({ selectedId: null })
}

export function DeliveriesPage({ fresh }: Props) {
  const client = useClient()
  const editable = useEditable()
  const open = useDeliveries((state) => state.open)
  const selectedId = useDeliveries((state) => state.selectedId)
  const shown = open && selectedId !== null
  const isEdited = useCompose((state) => heldSession(state, selectedId) !== undefined)
  useSearchHits()
  useKeys({
    close: shown ? closeToList : deselect,
    compare,
    ...(editable &&
      selectedId !== null && {
        resend: () => void resendSelected(client),
        'resend-to': () => askWhereTo(selectedId),
        'rehearse-handler': () => rehearseSelected(client),
      }),
    ...(editable && {
      hold: holdListed,
      tag: () => openBulkDialog('tag', selectionOr(selectedId)),
      delete: () => confirmDeletion(client, selectionOr(selectedId)),
      'scenario-save': () => openBulkDialog('scenario', selectionOr(selectedId)),
    }),
    'edit-and-send': () => editAndSend(selectedId),
  })
  return (
    <>
      <SplitPane
        name="deliveries"
        label="Width of the list"
        onCovered={closeDelivery}
        left={
          <section
            className="deliveries grid h-full grid-rows-[auto_auto_auto_minmax(0,1fr)_auto] bg-surface [&>.empty]:row-[1/5] [&>.strip]:row-2"
            aria-label="List of deliveries"
          >
            <ListOrState fresh={fresh} />
            <div className="row-5 min-w-0">
              <CompareBar />
              <SelectionBar />
            </div>
          </section>
        }
        right={
          shown ? (
            <Suspense fallback={<Loading />}>
              {editable && isEdited ? (
                <HeldEditor id={selectedId} />
              ) : (
                <DetailPane key={selectedId} id={selectedId} />
              )}
            </Suspense>
          ) : null
        }
      />
      {editable && (
        <>
          <ResendDialog />
          <JobDialog />
          <BulkDialogs />
        </>
      )}
    </>
  )
}

function ListOrState({ fresh }: Props) {
  const phase = useDeliveries((state) => state.phase)
  const message = useDeliveries((state) => state.message)
  const empty = useDeliveries((state) => state.revision >= 0 && state.rows.count === 0)
  const filtering = useDeliveries((state) => queryOf(state) !== '')
  const filterInvalid = useDeliveries((state) => state.filterInvalid)
  const storedCount = useShell((state) => state.stats.deliveries)
  const grouping = useDeliveries((state) => state.grouping)
  const editable = useEditable()
  const holding = useHold(isHolding)

  if (phase === 'ready' && empty && !filtering && !filterInvalid) {
    if (!editable) {
      return (
        <Empty icon={Icons.ScrollText} title="No deliveries in this log">
          The log was exported without deliveries, or none of them could be read.
        </Empty>
      )
    }
    if (storedCount === 0 && fresh !== undefined && !holding) return fresh
  }
  return (
    <>
      <FilterBar />
      {!filterInvalid && <Notices />}
      {filterInvalid ? (
        <Empty
          icon={Icons.CircleAlert}
          title="The filter in this URL is invalid"
          actions={<Button onClick={() => setFilterText('')}>Show all deliveries</Button>}
        >
          Fix the filter error above.
        </Empty>
      ) : phase === 'failed' ? (
        <EmptyFailure
          title="Could not load the deliveries"
          onRetry={() =>
            useDeliveries.setState(({ requestCount }) => ({ requestCount: requestCount + 1 }))
          }
        >
          {message}
        </EmptyFailure>
      ) : phase === 'ready' && empty && filtering ? (
        <NoMatch />
      ) : phase === 'ready' && empty && storedCount === 0 ? (
        <Empty icon={Icons.Hourglass} title="No deliveries yet" />
      ) : phase === 'loading' && empty ? (
        <ListLoading />
      ) : grouping === null ? (
        <DeliveryList />
      ) : (
        <GroupList by={grouping} />
      )}
    </>
  )
}

function ListLoading() {
  return (
    <div
      className="list-coming coming px-5 pt-8 pb-0 [&_.row-coming]:h-(--row)"
      role="status"
      aria-label="Loading deliveries"
    >
      {Array.from({ length: 12 }, (_, index) => (
        <div
          className="row-coming grid items-center before:col-[3/-2] before:h-4 before:max-w-[60%] before:rounded-sm before:bg-sunken"
          key={index}
        />
      ))}
    </div>
  )
}

function NoMatch() {
  const filter = useDeliveries(queryOf)
  const filterText = useDeliveries((state) => state.filter)
  const scoped = useDeliveries((state) => state.integrationId !== null)
  const { asOf, complete, searched } = useDeliveries((state) => state.search)
  const live = useLog() === null
  const stopped = useDeliveries((state) => state.stopped)
  const stats = useShell((state) => state.stats)
  const behind = Math.max(0, stats.newestId - stats.indexedId)
  const words = <code className="mono">{shortText(filter, 200)}</code>
  if (!complete) {
    const share = Math.floor(searched * 100)
    return (
      <Empty
        icon={Icons.Hourglass}
        title={stopped ? 'No matches before the search was stopped' : 'No matches yet'}
      >
        {share} % of {plural(stats.deliveries, 'delivery', 'deliveries')} searched for {words}.
        {stopped && ' Select “Resume” above to search the rest.'}
      </Empty>
    )
  }
  return (
    <Empty
      icon={Icons.SearchX}
      title="No matching deliveries"
      actions={
        <>
          {filterText !== '' && <Button onClick={() => setFilterText('')}>Clear the filter</Button>}
          {scoped && (
            <Button onClick={() => listAllIntegrations(true)}>Show all integrations</Button>
          )}
        </>
      }
    >
      {live
        ? `Searched ${plural(stats.deliveries, 'stored delivery', 'stored deliveries')}. None matches `
        : 'No delivery in this log matches '}
      {words}. {live && (asOf === null || !hasEnded(filter, asOf)) && 'New matches appear here.'}
      {live &&
        behind > 0 &&
        ` The search index is ${formatCount(behind)} deliveries behind: searches by text, ID or duplicate may still return more results.`}
    </Empty>
  )
}

function BulkDialogs() {
  const { dialog, targets } = useBulkDialog()
  if (targets === null) return null
  if (dialog === 'tag') return <TagDialog targets={targets} />
  const { ids, filter } = targets.which
  return (
    <Suspense fallback={null}>
      <SaveScenario
        what={ids === undefined ? { filter } : { ids }}
        count={targets.count}
        onClose={closeBulkDialog}
      />
    </Suspense>
  )
}

function TagDialog({ targets }: { targets: BulkTarget }) {
  const client = useClient()
  const [text, setText] = useState('')
  const tag = text.trim()
  const suggested = useSuggestions({ field: 'tag', prefix: tag })
  const form = useForm({}, async () => {
    const { changed, full } = await client.call('deliveries.mark', { ...targets.which, tag })
    closeBulkDialog()
    const skipped =
      full === 0
        ? ''
        : ` ${plural(full, 'delivery has', 'deliveries have')} ${tagsMost} tags already, which is the maximum.`
    toast(
      full === 0 ? 'valid' : 'invalid',
      `${plural(changed, 'delivery', 'deliveries')} tagged.${skipped}`,
    )
  })
  return (
    <FormDialog
      form={form}
      onClose={closeBulkDialog}
      action="Add tag"
      disabled={tag === ''}
      title={`Tag ${plural(targets.count, 'delivery', 'deliveries')}`}
      description="Tagged deliveries are pinned, so retention keeps them."
    >
      <Field
        label="Tag"
        value={text}
        maxLength={tagLongest}
        autoComplete="off"
        list="tags-of-several"
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id="tags-of-several">
        {(suggested?.values ?? []).map((value) => (
          <option key={value} value={value}>
            {escapeControls(value)}
          </option>
        ))}
      </datalist>
    </FormDialog>
  )
}
