import { field } from '#catalogue/payload.ts'
import {
  type TraceSource,
  idText,
  sameLocation,
  targetOf,
  timeOf,
  type Placed,
  type Traced,
} from './model.ts'

/** How long before the opening of a tab a guest may have arrived. */
export const nearBeforeMs = 15 * 60_000
/** Tolerance between the times of creation and arrival when searching. */
const arrivalSlackMs = 60_000
export const nearLimit = 50
const candidatesPerType = 500

/**
 * Finds events at the same location while a tab was open: scans of its spot and guests verified at its location. The API documentation has no field
 * that links them to a tab, so they are only `near`. None if the tab names no location.
 */
export function collectNear(
  source: TraceSource,
  tied: readonly Traced[],
): { placed: Placed[]; notes: string[] } {
  const none = { placed: [], notes: [] }
  const first = tied[0]
  const placeOf = tied.find(({ payload }) => sameLocation(payload, payload) === true)
  if (!first || !placeOf) return none
  const opening = tied.find(({ payload }) => payload.type === 'OPEN_TAB')
  const closing = tied.findLast(({ payload }) => payload.type === 'CLOSE_TAB')
  const times = tied.map(({ row }) => timeOf(row))
  const opened = opening ? timeOf(opening.row) : Math.min(...times)
  const until = closing ? timeOf(closing.row) : Math.max(...times)
  const arrivals = tied.map(({ row }) => row.receivedAt)
  const spots = new Set(
    tied.flatMap(({ payload }) => idText(field(payload.data, 'spotName')) ?? []),
  )
  const window = {
    from: Math.min(...arrivals) - nearBeforeMs - arrivalSlackMs,
    to: Math.max(...arrivals) + arrivalSlackMs,
    limit: candidatesPerType,
    wanted: ({ location }: { location: string | null }) =>
      location === null ||
      placeOf.row.locationName === null ||
      location === placeOf.row.locationName,
  }
  const scans = source.receivedBetween('QR_SCANNED', window)
  const guests = source.receivedBetween('GUEST_VERIFIED', window)
  const fits = (traced: Traced): boolean =>
    timeOf(traced.row) >= opened - nearBeforeMs &&
    timeOf(traced.row) <= until &&
    sameLocation(placeOf.payload, traced.payload) === true
  const found = [
    ...scans.found.filter(fits).flatMap((scan) => {
      const names = [idText(field(scan.payload.data, 'targetName')), targetOf(scan.payload)]
      const spot = names.find((name) => name !== null && spots.has(name))
      return spot === undefined ? [] : [place(scan, `time and place only: the spot “${spot}”`)]
    }),
    ...guests.found.filter(fits).map((guest) => place(guest, 'time and place only: the location')),
  ].sort((a, b) => Math.abs(timeOf(a.row) - opened) - Math.abs(timeOf(b.row) - opened))
  const notes: string[] = []
  if (found.length > nearLimit || scans.cut || guests.cut) {
    notes.push(
      `More events occurred at this place while the tab was open. Only the ${Math.min(nearLimit, found.length)} nearest to its opening are shown.`,
    )
  }
  return { placed: found.slice(0, nearLimit), notes }
}

function place(traced: Traced, by: string): Placed {
  return { ...traced, relation: 'near', by, marks: [] }
}
