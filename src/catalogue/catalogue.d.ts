import type { EventType } from './define.ts'
import type { Payload } from './payload.ts'
/** Every event type of the document, in the order of its file names. */
export declare const eventTypes: readonly EventType[]
/** The declaration of a type, or undefined when the document does not know it. */
export declare function eventTypeOf(type: unknown): EventType | undefined
/** The one line by which a list shows a payload; for a type the document does not know, its name and field count. */
export declare function titleOf(payload: Payload): string
