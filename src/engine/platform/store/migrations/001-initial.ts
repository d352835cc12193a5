import type Database from 'better-sqlite3'
import type { Schema } from '../config-file.ts'

const configuration = `
  CREATE TABLE integration (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    brand TEXT NOT NULL,
    base_url TEXT NOT NULL,
    kind TEXT NOT NULL DEFAULT 'service',
    access_id TEXT NOT NULL DEFAULT '',
    redirect_urls TEXT NOT NULL DEFAULT '[]',
    redirect_url TEXT NOT NULL DEFAULT '',
    -- Null: the rule of a new integration.
    refresh TEXT,
    sealed_access_secret BLOB
  ) STRICT;

  CREATE TABLE endpoint (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    integration_id INTEGER NOT NULL REFERENCES integration (id),
    name TEXT NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    application_id TEXT NOT NULL,
    -- JSON. The names only, with empty values, if sealed_headers has the values.
    custom_headers TEXT NOT NULL,
    -- 1 once a secret was set, even if it was removed again.
    had_secret INTEGER NOT NULL DEFAULT 0,
    -- The custom headers with their values, as JSON, encrypted, because they may be credentials. Null in the store of an event log.
    sealed_headers BLOB
  ) STRICT;
  CREATE TABLE endpoint_secret (
    endpoint_id INTEGER NOT NULL REFERENCES endpoint (id) ON DELETE CASCADE,
    which TEXT NOT NULL CHECK (which IN ('current', 'previous')),
    sealed BLOB NOT NULL,
    PRIMARY KEY (endpoint_id, which)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE forward_target (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    endpoint_id INTEGER NOT NULL REFERENCES endpoint (id) ON DELETE CASCADE,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX forward_target_by_endpoint ON forward_target (endpoint_id);
  CREATE TABLE response_rule (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    endpoint_id INTEGER NOT NULL REFERENCES endpoint (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX response_rule_by_endpoint ON response_rule (endpoint_id, position);

  CREATE TABLE script (
    name TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    saved_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE setting (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE draft (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Null: a draft; else a template.
    name TEXT,
    updated_ms INTEGER NOT NULL,
    counter INTEGER NOT NULL DEFAULT 1,
    title TEXT NOT NULL,
    -- All of it but the body, as JSON.
    content TEXT NOT NULL,
    -- Null: as captured.
    body BLOB
  ) STRICT;
  CREATE UNIQUE INDEX draft_by_name ON draft (name) WHERE name IS NOT NULL;

  CREATE TABLE target (
    origin TEXT PRIMARY KEY,
    confirmed INTEGER NOT NULL,
    verify_tls INTEGER NOT NULL,
    -- Where the target was when it was confirmed.
    location TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE saved_request (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    integration_id INTEGER NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    request TEXT NOT NULL,
    saved_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE saved_filter (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    filter TEXT NOT NULL,
    -- As in the contract, as JSON.
    columns TEXT
  ) STRICT;

  CREATE TABLE event_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Of the uncompressed file: the same file again is the same log.
    sha256 TEXT NOT NULL UNIQUE,
    -- File name of its store in the folder of event logs.
    store TEXT NOT NULL,
    imported_ms INTEGER NOT NULL,
    -- All other fields, as JSON.
    view TEXT NOT NULL
  ) STRICT;

  -- Fields of masked records that the user shows or hides in every export.
  CREATE TABLE field_choice (
    field TEXT PRIMARY KEY,
    choice TEXT NOT NULL CHECK (choice IN ('keep', 'mask'))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    integration_id INTEGER NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('authorize', 'refresh')),
    agent TEXT,
    state TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    redirect_url TEXT NOT NULL,
    failure TEXT,
    -- No reference: a record outlives its token.
    token_id INTEGER,
    -- Hex SHA-256 of the authorization code that was exchanged: no code is exchanged twice.
    code_hash TEXT,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_by_integration ON run (integration_id, id);
  CREATE INDEX run_by_code ON run (code_hash) WHERE code_hash IS NOT NULL;
  -- The values that a record masks, by the name in its marker.
  CREATE TABLE run_secret (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (run_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE token (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    integration_id INTEGER NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    -- Null after the token was forgotten.
    sealed_access BLOB,
    sealed_refresh BLOB,
    initiated INTEGER,
    expires INTEGER,
    expires_in INTEGER,
    obtained_ms INTEGER NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    findings TEXT NOT NULL
  ) STRICT;
  CREATE INDEX token_by_integration ON token (integration_id);
  CREATE TABLE token_event (
    id INTEGER PRIMARY KEY,
    token_id INTEGER NOT NULL REFERENCES token (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    detail TEXT,
    run_id INTEGER
  ) STRICT;
  CREATE INDEX token_event_by_token ON token_event (token_id, id);

  CREATE TABLE health_rule (
    endpoint_id INTEGER PRIMARY KEY REFERENCES endpoint (id) ON DELETE CASCADE,
    -- As in the contract, as JSON.
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE relay (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- As in the store: the same relay.
    name TEXT NOT NULL UNIQUE,
    -- The key; null: the server needs none.
    sealed_seed BLOB,
    -- Address, certificate, endpoints and switches, as JSON.
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE tunnel (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- 1: open it when Tabscope starts.
    wanted INTEGER NOT NULL,
    -- Settings, previously assigned address, address that was copied, warnings, as JSON.
    record TEXT NOT NULL
  ) STRICT;
`

/** Summaries and content are in separate tables, so that a list never reads a body. */
const deliveries = `
  CREATE TABLE delivery (
    id INTEGER PRIMARY KEY,
    received_us INTEGER NOT NULL,
    responded_us INTEGER,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    -- No reference: a delivery outlives its endpoint.
    endpoint_id INTEGER,
    type TEXT,
    title TEXT NOT NULL,
    target TEXT,
    location_name TEXT,
    created_ms INTEGER,
    verdict TEXT NOT NULL,
    -- A JSON array of [index, expected, actual] for each finding whose values differ from those in the list; 0 or absent: as in the list.
    findings TEXT,
    status INTEGER,
    bytes INTEGER NOT NULL,
    -- SHA-256 of the stored body. In an event log with a redacted body, another value of that form, the same for equal bodies.
    sha256 BLOB NOT NULL,
    arrival TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    -- A JSON array; null: none. delivery_tag has the same tags, to find deliveries by them.
    tags TEXT,
    noted INTEGER NOT NULL DEFAULT 0,
    sent_by TEXT CHECK (sent_by IN ('forward', 'send')),
    responded_by TEXT CHECK (responded_by IN ('rule', 'target', 'hold')),
    -- Status of the last attempt, 0 without a complete response. Null: there is no attempt.
    sent INTEGER,
    via TEXT CHECK (via IN ('tunnel', 'relay')),
    -- After a later check, verdict is its result, and arrival_verdict the verdict at arrival. Null: checked once.
    arrival_verdict TEXT,
    rechecked_us INTEGER,
    -- The secret that made the later check valid; delivery_content.secret_name is the one at arrival.
    recheck_secret_name TEXT,
    -- No reference: it would cost an index lookup for each delivery.
    finding_list_id INTEGER,
    -- Why the signature is invalid or missing, or why the handler rejects it, as in the contract, as JSON. Null: not diagnosed yet, or neither.
    causes TEXT,
    -- What it is about, from its own payload. The name of a tab or a guest is in another delivery than most of its events.
    spot TEXT,
    zone TEXT,
    amount REAL,
    -- Names, one in a line.
    items TEXT,
    tab_id TEXT,
    tab_name TEXT,
    order_id TEXT,
    order_name TEXT,
    guest_id TEXT,
    guest_name TEXT
  ) STRICT;
  CREATE INDEX delivery_by_type ON delivery (type, verdict);
  CREATE INDEX delivery_by_verdict ON delivery (verdict);
  CREATE INDEX delivery_by_time ON delivery (received_us);
  CREATE INDEX delivery_by_location ON delivery (location_name);
  CREATE INDEX delivery_by_endpoint ON delivery (endpoint_id);
  CREATE INDEX delivery_by_status ON delivery (status);
  CREATE INDEX delivery_tab_named ON delivery (tab_id) WHERE tab_name IS NOT NULL;
  CREATE INDEX delivery_guest_named ON delivery (guest_id) WHERE guest_name IS NOT NULL;
  CREATE INDEX delivery_pinned ON delivery (pinned) WHERE pinned = 1;
  -- Deliveries that are valid and not rejected are written without it.
  CREATE INDEX delivery_undiagnosed ON delivery (id) WHERE causes IS NULL
    AND (verdict = 'invalid' OR verdict = 'missing' OR (verdict = 'valid' AND sent >= 300));
  CREATE INDEX delivery_noted ON delivery (noted) WHERE noted = 1;
  -- In order of ID: a search reads it from one ID to another, whatever it requires of the status.
  CREATE INDEX delivery_sent ON delivery (id, sent) WHERE sent IS NOT NULL;
  CREATE INDEX delivery_by_finding_list ON delivery (finding_list_id) WHERE finding_list_id IS NOT NULL;

  CREATE TABLE delivery_content (
    id INTEGER PRIMARY KEY REFERENCES delivery (id) ON DELETE CASCADE,
    http_version TEXT NOT NULL,
    remote_address TEXT NOT NULL,
    endpoint_name TEXT,
    brand TEXT NOT NULL,
    secret_name TEXT,
    reason TEXT,
    -- Names and values alternately, joined by line feeds.
    headers TEXT NOT NULL,
    trailers TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;

  -- Totals. One row, written with each group of deliveries.
  CREATE TABLE progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_id INTEGER NOT NULL,
    deliveries INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    -- Random, so that the search index of another store is recognized.
    store_key TEXT NOT NULL,
    -- Up to which delivery the fields of payloads are observed.
    observed_id INTEGER NOT NULL DEFAULT 0,
    -- By which deliveries are deleted for their age, and the next one, which the clock showed less than a day ago. 0: none.
    believed_ms INTEGER NOT NULL DEFAULT 0,
    seen_ms INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO progress (id, last_id, deliveries, bytes, store_key) VALUES (1, 0, 0, 0, lower(hex(randomblob(8))));

  -- Files that were replaced, because they were damaged. Users are told as long as the file exists.
  CREATE TABLE damaged_file (
    path TEXT PRIMARY KEY,
    -- As in the contract, as JSON.
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE delivery_note (
    delivery_id INTEGER PRIMARY KEY REFERENCES delivery (id) ON DELETE CASCADE,
    note TEXT NOT NULL
  ) STRICT;
  CREATE TABLE delivery_tag (
    tag TEXT NOT NULL,
    delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, delivery_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX delivery_tag_by_delivery ON delivery_tag (delivery_id);
`

const findings = `
  -- Few kinds, many findings: the text of a kind is stored once.
  CREATE TABLE finding_kind (
    id INTEGER PRIMARY KEY,
    -- Empty: deliveries without a type. '*': after the maximum number of kinds, all types that are not in the API documentation.
    type TEXT NOT NULL,
    code TEXT NOT NULL,
    location TEXT NOT NULL,
    severity TEXT NOT NULL,
    UNIQUE (code, location, type)
  ) STRICT;
  -- Most deliveries of a type have the same findings: each list is stored once, and deliveries refer to it.
  CREATE TABLE finding_list (
    id INTEGER PRIMARY KEY,
    -- The event type of its deliveries, because kinds belong to a type. Empty: none.
    type TEXT NOT NULL,
    -- A JSON array: [code, location, expected, actual, severity, message] of each finding, without nulls at the end.
    findings TEXT NOT NULL
  ) STRICT;
  CREATE TABLE finding_list_kind (
    kind_id INTEGER NOT NULL REFERENCES finding_kind (id),
    list_id INTEGER NOT NULL REFERENCES finding_list (id) ON DELETE CASCADE,
    PRIMARY KEY (kind_id, list_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX finding_list_kind_by_list ON finding_list_kind (list_id);
`

/** Outlive their deliveries, so that nothing in them shows more than an export. */
const payloads = `
  CREATE TABLE payload_type (
    -- Empty: payloads without a type. '*': after the maximum number of types, all others that are not in the API documentation.
    type TEXT PRIMARY KEY,
    -- [path, state] of each, as JSON. Examples are masked.
    fields TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE payload_notice (
    type TEXT NOT NULL,
    path TEXT NOT NULL,
    change TEXT NOT NULL CHECK (change IN ('appeared', 'absent', 'type')),
    -- The new JSON type; empty: another change.
    kind TEXT NOT NULL,
    delivery_id INTEGER NOT NULL,
    at_us INTEGER NOT NULL,
    dismissed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (type, path, change, kind)
  ) STRICT, WITHOUT ROWID;
`

const apiConsole = `
  CREATE TABLE api_exchange (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- No references: they are in another file.
    integration_id INTEGER NOT NULL,
    token_id INTEGER,
    at_ms INTEGER NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    status INTEGER,
    took_ms REAL NOT NULL,
    bytes INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX api_exchange_by_integration ON api_exchange (integration_id, id);
  CREATE TABLE api_exchange_body (
    id INTEGER PRIMARY KEY REFERENCES api_exchange (id) ON DELETE CASCADE,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE api_exchange_secret (
    exchange_id INTEGER NOT NULL REFERENCES api_exchange (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (exchange_id, name)
  ) STRICT, WITHOUT ROWID;
`

const sending = `
  CREATE TABLE attempt (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery_id INTEGER REFERENCES delivery (id) ON DELETE CASCADE,
    -- No references: these may be deleted before the attempt.
    draft_id INTEGER,
    job_id INTEGER,
    forward_id INTEGER,
    kind TEXT NOT NULL CHECK (kind IN ('resend', 'compose', 'forward', 'pass_through')),
    at_ms REAL NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    -- Used to find the previous attempt: an address may be long.
    url_hash INTEGER NOT NULL,
    status INTEGER,
    error_code TEXT,
    error TEXT,
    took_ms REAL NOT NULL,
    edited INTEGER NOT NULL,
    body_edited INTEGER NOT NULL,
    signing TEXT NOT NULL,
    secret_name TEXT,
    verdict TEXT CHECK (verdict IN ('same', 'fixed', 'regressed')),
    previous_id INTEGER,
    try_number INTEGER NOT NULL,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    -- Size of this row with its bodies.
    stored_bytes INTEGER NOT NULL,
    -- All other fields, as JSON.
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX attempt_by_draft ON attempt (draft_id) WHERE draft_id IS NOT NULL;
  CREATE INDEX attempt_by_job ON attempt (job_id) WHERE job_id IS NOT NULL;
  -- The attempts of a delivery, which are deleted with it, and among them the previous one to the same address.
  CREATE INDEX attempt_of_delivery_to ON attempt (delivery_id, url_hash);
  CREATE INDEX attempt_of_draft_to ON attempt (draft_id, url_hash) WHERE draft_id IS NOT NULL AND delivery_id IS NULL;
  -- Only with a body: one that was sent as captured is that of the delivery.
  CREATE TABLE attempt_body (
    id INTEGER PRIMARY KEY REFERENCES attempt (id) ON DELETE CASCADE,
    request BLOB,
    response BLOB
  ) STRICT;
  -- Totals, so that no query counts all attempts. Whoever inserts attempts adds them; the trigger subtracts those that are deleted with their delivery.
  CREATE TABLE attempt_tally (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    attempts INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO attempt_tally VALUES (1, 0, 0);
  CREATE TRIGGER attempt_went AFTER DELETE ON attempt BEGIN
    UPDATE attempt_tally SET attempts = attempts - 1, bytes = bytes - old.stored_bytes;
  END;

  -- Why a delivery was not forwarded to a target.
  CREATE TABLE forward_skip (
    delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
    forward_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (delivery_id, forward_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE send_job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'interrupted', 'done', 'cancelled')),
    reason TEXT,
    total INTEGER NOT NULL,
    -- Items up to this position are claimed, unless their state says otherwise. A claim of many items is one write.
    claimed_to INTEGER NOT NULL DEFAULT -1,
    -- Counts of its items by state, as JSON, once it has ended. Null: they are counted.
    summary TEXT,
    -- Filter, address, signing, pace, edited headers, time limit, as JSON.
    request TEXT NOT NULL,
    -- The body that replaces those of the deliveries; null: each has its own.
    body BLOB,
    -- The event log, of a scenario, that has the deliveries of its items; null: they are in this store.
    log_id INTEGER
  ) STRICT;
  CREATE INDEX send_job_of_log ON send_job (log_id) WHERE log_id IS NOT NULL;
  CREATE TABLE send_job_item (
    job_id INTEGER NOT NULL REFERENCES send_job (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    delivery_id INTEGER NOT NULL,
    -- 'waiting' is claimed up to send_job.claimed_to; 'returned' is not claimed, wherever it is.
    -- 'uncertain' was claimed when Tabscope ended: it may have been sent.
    state TEXT NOT NULL CHECK (state IN ('waiting', 'returned', 'uncertain', 'ok', 'failed', 'skipped')),
    attempt_id INTEGER,
    status INTEGER,
    error TEXT,
    -- Of a scenario: the status in the run that it is compared to, 0 without a response. Null: not compared.
    before_status INTEGER,
    PRIMARY KEY (job_id, position)
  ) STRICT, WITHOUT ROWID;
  -- Partial, so that most items are written without it. OR instead of IN, so that SQLite uses it for a query of one state.
  CREATE INDEX send_job_item_by_state ON send_job_item (job_id, state, position)
    WHERE state = 'returned' OR state = 'uncertain' OR state = 'failed' OR state = 'skipped';
  -- Deliveries that are held. One that is being released is not forwarded again unasked after a crash.
  CREATE TABLE held_delivery (
    delivery_id INTEGER PRIMARY KEY REFERENCES delivery (id) ON DELETE CASCADE,
    held_ms INTEGER NOT NULL,
    releasing INTEGER NOT NULL DEFAULT 0,
    -- The edited request, without its body, as JSON; null: it was not edited.
    draft TEXT,
    -- Of the draft; null: as captured.
    body BLOB
  ) STRICT;
`

const relays = `
  -- Stays as long as its deliveries, also without the relay of that ID.
  CREATE TABLE relay_source (
    relay_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    -- Messages of it that could not be read.
    skipped INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- Written in the transaction of the deliveries.
  CREATE TABLE relay_position (
    relay_id INTEGER NOT NULL,
    slug TEXT NOT NULL,
    -- Of the stream that was created then.
    stream_created TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (relay_id, slug)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE relay_delivery (
    delivery_id INTEGER PRIMARY KEY REFERENCES delivery (id) ON DELETE CASCADE,
    -- The UUID that the receiver gave it: a copy is not stored again. Null in the store of an event log.
    uid BLOB UNIQUE,
    relay_id INTEGER NOT NULL,
    receiver TEXT NOT NULL,
    position INTEGER NOT NULL,
    -- 1: forwarded like captured ones.
    forwarded INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX relay_delivery_by_relay ON relay_delivery (relay_id);
  CREATE INDEX relay_delivery_by_receiver ON relay_delivery (receiver);
`

const eventLogs = `
  -- Only in the store of an imported log: its head and end line, as in the file.
  CREATE TABLE log_origin (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head TEXT NOT NULL,
    end_line TEXT
  ) STRICT;
  -- Only in the store of an imported log: fields of a delivery line without a column elsewhere.
  CREATE TABLE log_delivery (
    id INTEGER PRIMARY KEY,
    body_redacted INTEGER NOT NULL,
    -- Why the body is missing; null: it is present.
    omitted TEXT,
    -- Where it was not forwarded, and why: a JSON array of sentences.
    not_forwarded TEXT NOT NULL
  ) STRICT;
`

const rehearsals = `
  CREATE TABLE rehearsal (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Options, state, counts and grade, as JSON. Without secrets.
    record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE rehearsal_case (
    rehearsal_id INTEGER NOT NULL REFERENCES rehearsal (id) ON DELETE CASCADE,
    case_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (rehearsal_id, case_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE rehearsal_request (
    id INTEGER PRIMARY KEY,
    rehearsal_id INTEGER NOT NULL REFERENCES rehearsal (id) ON DELETE CASCADE,
    case_id TEXT NOT NULL,
    -- All of it but the bodies, as JSON.
    record TEXT NOT NULL,
    body BLOB NOT NULL,
    response_body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX rehearsal_request_by_case ON rehearsal_request (rehearsal_id, case_id);
`

/** Each is twice as long as the one before. */
function buckets(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${name}_${index} INTEGER NOT NULL`).join(', ')
}

const counts = `
    -- When it begins, in minutes since the epoch; hours are those of the local time.
    at INTEGER NOT NULL,
    series_id INTEGER NOT NULL REFERENCES health_series (id),
    -- A bit for each minute with a delivery, of the first and the second half of the hour.
    first_half INTEGER NOT NULL,
    second_half INTEGER NOT NULL,
    received INTEGER NOT NULL,
    -- With an invalid or missing signature.
    failed INTEGER NOT NULL,
    via_tunnel INTEGER NOT NULL,
    via_relay INTEGER NOT NULL,
    -- Responses to attempts, sent in this time. forwarded: those that were not sent manually.
    handler_ok INTEGER NOT NULL,
    handler_rejected INTEGER NOT NULL,
    handler_none INTEGER NOT NULL,
    forwarded INTEGER NOT NULL,
    forward_failed INTEGER NOT NULL,
    -- Deliveries by the time from creation to arrival, and responses by how long they took: how many in each bucket.
    ${buckets('delay', 18)},
    ${buckets('response', 15)},
    PRIMARY KEY (at, series_id)
`

/** Counts are written with what they count, and stay when it is deleted. */
const health = `
  CREATE TABLE health_series (
    id INTEGER PRIMARY KEY,
    -- 0: the path belongs to no endpoint.
    endpoint_id INTEGER NOT NULL,
    -- Empty: none. '*': others.
    location TEXT NOT NULL,
    type TEXT NOT NULL,
    UNIQUE (endpoint_id, location, type)
  ) STRICT;
  CREATE TABLE health_hour (${counts}) STRICT, WITHOUT ROWID;
  -- The same, of the last days.
  CREATE TABLE health_minute (${counts}) STRICT, WITHOUT ROWID;
  -- Why signatures failed, and when each reason was new.
  CREATE TABLE health_cause (
    endpoint_id INTEGER NOT NULL,
    code TEXT NOT NULL,
    first_ms REAL NOT NULL,
    deliveries INTEGER NOT NULL,
    PRIMARY KEY (endpoint_id, code)
  ) STRICT, WITHOUT ROWID;
  -- When Tabscope was running, and the state of its tunnel and its relays then.
  CREATE TABLE health_running (
    since_ms INTEGER PRIMARY KEY,
    until_ms INTEGER NOT NULL,
    tunnel TEXT NOT NULL CHECK (tunnel IN ('open', 'closed', 'down')),
    relay_down INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE alert (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    raised_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    -- As in the contract, as JSON.
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX alert_by_end ON alert (ended_ms);
`

const store = [
  deliveries,
  findings,
  payloads,
  apiConsole,
  sending,
  relays,
  eventLogs,
  rehearsals,
  health,
].join('')

export const initial = {
  version: 1,
  name: 'initial',
  store: (db: Database.Database): void => void db.exec(store),
  config: (db: Database.Database, schema: Schema): void => {
    const created = ['TABLE', 'INDEX', 'UNIQUE INDEX'].map((kind) => `\n  CREATE ${kind} `)
    db.exec(
      created.reduce((sql, start) => sql.replaceAll(start, `${start}${schema}.`), configuration),
    )
  },
}
