import { formatCount as count, plural as counted } from '#shared/text/format.ts'
import { CircleAlert, ScrollText, Hourglass, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { focusAfter } from '../../ui/focus.ts'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { useClient, useAction } from '../../platform/use-client.ts'
import { editAndSend, resendSelected, ResendDialog, askWhereTo } from '../attempts/index.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { CompareBar, compare } from '../diff/index.ts'
import { JobDialog } from '../jobs/index.ts'
import { useCan, useShell } from '../../state/app.ts'
import { Charts } from './charts/Charts.tsx'
import { DeliveryList } from './DeliveryList.tsx'
import { DetailPane } from './detail/DetailPane.tsx'
import { FilterBar } from './FilterBar.tsx'
import { useSearchHits } from './filter/search-hits.ts'
import { SelectionBar } from './selection/SelectionBar.tsx'
import { useEditable, useLog } from '../../state/scope.ts'
import { askAbout, severalOr, type Several, closeSeveral, useSeveral } from './selection/several.ts'
import { clearSelection } from '../../state/selection.ts'
import { closeDelivery, queryOf, setFilterText, useDeliveries } from '../../state/deliveries.ts'
import { cut, visible } from '../../ui/text/visible.ts'
import { listAllIntegrations } from '../../state/authorization.ts'
import { hasEnded } from '../../state/filter.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { sentence } from '../../platform/call-error.ts'
import { say } from '../../platform/toasts.ts'
import { tagLongest, tagsMost } from './row-actions.ts'
import { useSuggestions } from './use-suggestions.ts'
import './DeliveriesPage.css'

interface Props {
  /** In the list's place before the first delivery; a log has none, and what brings one is not there in an exported page. */
  readonly fresh?: ReactNode
}

/** Closes the delivery; the focus goes to the list, since what had it may be gone. */
function closeToList(): void {
  focusAfter(closeDelivery, () => document.querySelector<HTMLElement>('[data-delivery-list]'))
}

/** The list, and beside it the delivery that is open. */
export function DeliveriesPage({ fresh }: Props) {
  const client = useClient()
  const editable = useEditable()
  const editing = useCan('editing')
  const open = useDeliveries((state) => state.open)
  const selectedId = useDeliveries((state) => state.selectedId)
  const shown = open && selectedId !== null
  useSearchHits()
  useKeys({
    close: shown ? closeToList : clearSelection,
    compare,
    ...(editable &&
      selectedId !== null && {
        resend: () => void resendSelected(client),
        'resend-to': () => askWhereTo(selectedId),
      }),
    ...(editable && {
      // The tags of an open delivery are edited where they stand.
      tag: () => askAbout('tag', severalOr(selectedId)),
      delete: () => askAbout('delete', severalOr(selectedId)),
    }),
    ...(editing && { 'edit-and-send': () => editAndSend(selectedId) }),
  })
  return (
    <>
      <h1 className="visually-hidden">Deliveries</h1>
      <SplitPane
        name="deliveries"
        label="Width of the list"
        onCovered={closeDelivery}
        left={
          <section className="deliveries" aria-label="List of deliveries">
            <ListOrState fresh={fresh} />
            <div className="list-bars">
              <CompareBar />
              <SelectionBar />
            </div>
          </section>
        }
        right={shown ? <DetailPane key={selectedId} id={selectedId} /> : null}
      />
      {editable && (
        <>
          <ResendDialog />
          <JobDialog />
          <SeveralDialogs />
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
  const unread = useDeliveries((state) => state.unread)
  const kept = useShell((state) => state.stats.deliveries)
  const editable = useEditable()

  if (phase === 'ready' && empty && !filtering && !unread) {
    if (!editable) return <EmptyLog />
    if (kept === 0 && fresh !== undefined) return fresh
  }
  return (
    <>
      <FilterBar />
      {!unread && <Charts />}
      {unread ? (
        <Empty
          icon={<CircleAlert aria-hidden />}
          title="The filter of this address cannot be read"
          actions={<Button onClick={() => setFilterText('')}>Show all deliveries</Button>}
        >
          Fix the filter error above.
        </Empty>
      ) : phase === 'failed' ? (
        <Empty
          icon={<CircleAlert aria-hidden />}
          title="The deliveries could not be read"
          actions={
            <Button onClick={() => useDeliveries.setState(({ asked }) => ({ asked: asked + 1 }))}>
              Try again
            </Button>
          }
        >
          {message}
        </Empty>
      ) : phase === 'ready' && empty && filtering ? (
        <NoMatch />
      ) : phase === 'loading' && empty ? (
        <Coming />
      ) : (
        <DeliveryList />
      )}
    </>
  )
}

function EmptyLog() {
  return (
    <Empty icon={<ScrollText aria-hidden />} title="No deliveries in this log">
      It was exported with none, or none of them could be read.
    </Empty>
  )
}

const comingRows = Array.from({ length: 12 }, (_, index) => index)

/** The shape of what is about to come. */
function Coming() {
  return (
    <div className="list-coming" role="status" aria-label="Loading deliveries">
      {comingRows.map((index) => (
        <Stack align="center" className="row-coming" key={index} />
      ))}
    </div>
  )
}

/** No row to show under a filter: none yet, none at all, or none that the search index knows of so far. */
function NoMatch() {
  const filter = useDeliveries(queryOf)
  const filterText = useDeliveries((state) => state.filter)
  const scoped = useDeliveries((state) => state.integrationId !== null)
  const { asOf, complete, searched } = useDeliveries((state) => state.search)
  const live = useLog() === null
  const stopped = useDeliveries((state) => state.stopped)
  const stats = useShell((state) => state.stats)
  const behind = Math.max(0, stats.newestId - stats.indexedId)
  const words = <code className="mono">{visible(cut(filter, 200))}</code>
  if (!complete) {
    const share = Math.floor(searched * 100)
    return (
      <Empty
        icon={<Hourglass aria-hidden />}
        title={stopped ? 'Nothing found before the search was stopped' : 'Nothing found so far'}
      >
        {share} % of {counted(stats.deliveries, 'delivery', 'deliveries')} searched for {words}.
        {stopped && ' Select “Resume” above to search the rest.'}
      </Empty>
    )
  }
  return (
    <Empty
      icon={<SearchX aria-hidden />}
      title="Nothing matches"
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
        ? `${counted(stats.deliveries, 'delivery is', 'deliveries are')} kept, and none matches `
        : 'No delivery of this log matches '}
      {words}.{' '}
      {live && (asOf === null || !hasEnded(filter, asOf)) && 'New ones that do will appear here.'}
      {live &&
        behind > 0 &&
        ` The search index is ${count(behind)} behind: what is found by text, ids or duplicates may still come.`}
    </Empty>
  )
}

/** Asks for the tag of several deliveries, or before they are deleted. */
function SeveralDialogs() {
  const { asked, several } = useSeveral()
  if (asked === null || several === null) return null
  return asked === 'tag' ? <TagDialog several={several} /> : <DeleteDialog several={several} />
}

function TagDialog({ several }: { readonly several: Several }) {
  const client = useClient()
  const [text, setText] = useState('')
  const tag = text.trim()
  const suggested = useSuggestions({ field: 'tag', prefix: tag })
  const add = useAction(async () => {
    const { changed, full } = await client.call('deliveries.mark', { ...several.which, tag })
    closeSeveral()
    const skipped =
      full === 0
        ? ''
        : ` ${counted(full, 'delivery has', 'deliveries have')} ${tagsMost} tags already, which is the maximum.`
    say(
      full === 0 ? 'valid' : 'invalid',
      `${counted(changed, 'delivery', 'deliveries')} tagged.${skipped}`,
    )
  })
  return (
    <Dialog
      open
      onClose={closeSeveral}
      title={`Tag ${counted(several.count, 'delivery', 'deliveries')}`}
      description="Tagged deliveries are pinned, so that they are kept."
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (tag !== '' && !add.busy) add.start()
        }}
      >
        <Field
          label="Tag"
          value={text}
          maxLength={tagLongest}
          autoComplete="off"
          list="tags-of-several"
          error={add.error === null ? null : sentence(add.error)}
          onChange={(event) => setText(event.target.value)}
        />
        <datalist id="tags-of-several">
          {(suggested?.values ?? []).map((value) => (
            <option key={value} value={value}>
              {visible(value)}
            </option>
          ))}
        </datalist>
        <div className="dialog-actions">
          <Button onClick={closeSeveral}>Cancel</Button>
          <Button kind="primary" type="submit" busy={add.busy} disabled={tag === ''}>
            Add tag
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function DeleteDialog({ several }: { readonly several: Several }) {
  const client = useClient()
  const remove = useAction(async () => {
    const { deleted } = await client.call('deliveries.delete', several.which)
    const { selectedId } = useDeliveries.of(null).getState()
    const { ids } = several.which
    clearSelection()
    if (selectedId !== null && (ids === undefined || ids.includes(selectedId))) {
      closeDelivery()
      useDeliveries.of(null).setState({ selectedId: null })
    }
    closeSeveral()
    say('valid', `${counted(deleted, 'delivery', 'deliveries')} deleted.`)
  })
  const many = several.count !== 1
  return (
    <Confirm
      open
      onClose={closeSeveral}
      title={`Delete ${counted(several.count, 'delivery', 'deliveries')}?`}
      description={`${many ? 'Their' : 'Its'} notes, tags and attempts are deleted as well${many ? ', and pinned deliveries among them too' : ''}. This cannot be undone.`}
      action="Delete"
      busy={remove.busy}
      error={remove.error === null ? null : sentence(remove.error)}
      onConfirm={() => remove.start()}
    />
  )
}
