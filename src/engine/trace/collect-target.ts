import { field } from '#catalogue/payload.ts'
import type { TraceMark } from '#contract/deliveries.ts'
import type { Collected } from './build.ts'
import { Gathering } from './gathering.ts'
import type { TraceSource } from './trace-source.ts'
import { spanText } from './span-text.ts'
import type { Subject, SubjectKind } from './subject.ts'
import { sameLocation, targetOf, timeOf, type Traced } from './traced.ts'

/** A category's update is tied to a product's that was created at most so many milliseconds before it. */
export const causeWithinMs = 60_000
/** What arrived so much later or earlier than it was created is still found, in milliseconds. */
const arrivalSlackMs = 60_000
/** Updates of one thing whose cause or consequence is looked for. */
const causesLimit = 100
const lookedInto = 200

const typeOfKind: Partial<Record<SubjectKind, string>> = {
  menu: 'MENU_UPDATED',
  product: 'PRODUCT_UPDATED',
  category: 'CATEGORY_UPDATED',
  location: 'LOCATION_UPDATED',
  spot: 'QR_SCANNED',
}

/** The life of what events target: a menu, a product, a category, a location, a spot, or something that the document does not know. */
export function collectTarget(source: TraceSource, subject: Subject, from: Traced): Collected {
  const gathering = new Gathering(from.row.id)
  gathering.tie(from, targetField(from))
  const type = typeOfKind[subject.kind]
  if (subject.id !== '') {
    const { found, cut } = source.mentioning(subject.id, {
      around: from.row.id,
      most: gathering.limit,
      wanted: (head) => head.target === subject.id && (type === undefined || head.type === type),
    })
    gathering.cut = cut
    for (const traced of found) {
      if (targetOf(traced.payload) !== subject.id) continue
      // An id that is not a UUID may be another thing's at another location.
      if (sameLocation(from.payload, traced.payload) !== false) {
        gathering.tie(traced, targetField(traced))
      }
    }
  }
  if (subject.kind === 'category' || subject.kind === 'product') addCauses(source, gathering)
  return {
    subject,
    placed: gathering.placed(),
    notes: gathering.notes(),
    truncated: gathering.truncated(),
  }
}

function targetField({ payload }: Traced): string {
  const byUuid = payload.targetUuid !== undefined && payload.targetUuid !== null
  return byUuid ? 'targetUuid' : 'targetId'
}

/** CATEGORY_UPDATED and the PRODUCT_UPDATED before it, from whichever of the two is there. */
function addCauses(source: TraceSource, gathering: Gathering): void {
  const own = gathering.tied()
  const nearest = own
    .toSorted(
      (a, b) => Math.abs(a.row.id - gathering.around) - Math.abs(b.row.id - gathering.around),
    )
    .slice(0, causesLimit)
  for (const entry of nearest) {
    if (entry.payload.type === 'PRODUCT_UPDATED') {
      const categories = source.arrived('CATEGORY_UPDATED', window(entry, 'after'))
      for (const category of categories.found) {
        if (causeOf(source, category)?.row.id === entry.row.id) join(gathering, entry, category)
      }
    } else {
      const product = causeOf(source, entry)
      if (product) join(gathering, product, entry)
    }
  }
  if (own.length > causesLimit) {
    gathering.note(`Causes are shown for the ${causesLimit} updates nearest to this delivery.`)
  }
}

/** The nearest PRODUCT_UPDATED before a CATEGORY_UPDATED that gives one as its cause, at the same location; null: none. */
function causeOf(source: TraceSource, category: Traced): Traced | null {
  if (field(field(category.payload.data, 'cause'), 'type') !== 'PRODUCT_UPDATED') return null
  const at = timeOf(category.row)
  const before = source
    .arrived('PRODUCT_UPDATED', window(category, 'before'))
    .found.filter(
      (product) =>
        timeOf(product.row) <= at &&
        timeOf(product.row) >= at - causeWithinMs &&
        sameLocation(product.payload, category.payload) === true,
    )
    .sort((a, b) => timeOf(a.row) - timeOf(b.row) || a.row.id - b.row.id)
  return before.at(-1) ?? null
}

function window({ row }: Traced, way: 'before' | 'after') {
  return {
    from: row.receivedAt - arrivalSlackMs - (way === 'before' ? causeWithinMs : 0),
    to: row.receivedAt + arrivalSlackMs + (way === 'after' ? causeWithinMs : 0),
    most: lookedInto,
  }
}

function join(gathering: Gathering, product: Traced, category: Traced): void {
  const apart = spanText(timeOf(category.row) - timeOf(product.row))
  const by = 'time and place only: the nearest before'
  const rule = `the nearest before, by time and place, within ${spanText(causeWithinMs)}`
  const caused: TraceMark = {
    code: 'caused',
    text: `Observed: it names PRODUCT_UPDATED as its cause, and #${product.row.id} came ${apart} earlier (${rule}).`,
  }
  const causes: TraceMark = {
    code: 'caused',
    text: `Observed: #${category.row.id}, a CATEGORY_UPDATED that names PRODUCT_UPDATED as its cause, came ${apart} later (${rule}).`,
  }
  gathering.near(product, by, causes)
  gathering.near(category, by, caused)
}
