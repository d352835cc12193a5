import type { DeliverySummary } from '#contract/models.ts'

export function summary(id: number, changes: Partial<DeliverySummary> = {}): DeliverySummary {
  return {
    id,
    receivedAt: id,
    method: 'POST',
    path: '/hook',
    endpointId: 1,
    type: 'OPEN_TAB',
    title: `Tab ${id}`,
    facts: null,
    target: null,
    locationName: null,
    createdAt: null,
    verdict: 'valid',
    findings: [],
    status: 200,
    responseMs: 1,
    bytes: 2,
    sha256: '00',
    arrival: 'complete',
    pinned: false,
    causes: [],
    tags: [],
    noted: false,
    duplicateOf: null,
    sentBy: null,
    respondedBy: null,
    lastAttempt: null,
    ...changes,
  }
}
