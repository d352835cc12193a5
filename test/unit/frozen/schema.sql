-- version 1
CREATE INDEX alert_by_end ON alert (ended_ms);
CREATE INDEX api_exchange_by_integration ON api_exchange (integration_id, id);
CREATE INDEX attempt_by_draft ON attempt (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX attempt_by_job ON attempt (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX attempt_of_delivery_to ON attempt (delivery_id, url_hash);
CREATE INDEX attempt_of_draft_to ON attempt (draft_id, url_hash) WHERE draft_id IS NOT NULL AND delivery_id IS NULL;
CREATE INDEX delivery_by_endpoint ON delivery (endpoint_id);
CREATE INDEX delivery_by_finding_list ON delivery (finding_list_id) WHERE finding_list_id IS NOT NULL;
CREATE INDEX delivery_by_location ON delivery (location_name);
CREATE INDEX delivery_by_status ON delivery (status);
CREATE INDEX delivery_by_time ON delivery (received_us);
CREATE INDEX delivery_by_type ON delivery (type, verdict);
CREATE INDEX delivery_by_verdict ON delivery (verdict);
CREATE INDEX delivery_guest_named ON delivery (guest_id) WHERE guest_name IS NOT NULL;
CREATE INDEX delivery_noted ON delivery (noted) WHERE noted = 1;
CREATE INDEX delivery_pinned ON delivery (pinned) WHERE pinned = 1;
CREATE INDEX delivery_sent ON delivery (id, sent) WHERE sent IS NOT NULL;
CREATE INDEX delivery_tab_named ON delivery (tab_id) WHERE tab_name IS NOT NULL;
CREATE INDEX delivery_tag_by_delivery ON delivery_tag (delivery_id);
CREATE INDEX delivery_undiagnosed ON delivery (id) WHERE causes IS NULL
    AND (verdict = 'invalid' OR verdict = 'missing' OR (verdict = 'valid' AND sent >= 300));
CREATE INDEX finding_list_kind_by_list ON finding_list_kind (list_id);
CREATE INDEX rehearsal_request_by_case ON rehearsal_request (rehearsal_id, case_id);
CREATE INDEX relay_delivery_by_receiver ON relay_delivery (receiver);
CREATE INDEX relay_delivery_by_relay ON relay_delivery (relay_id);
CREATE INDEX send_job_item_by_state ON send_job_item (job_id, state, position)
    WHERE state = 'returned' OR state = 'uncertain' OR state = 'failed' OR state = 'skipped';
CREATE INDEX send_job_of_log ON send_job (log_id) WHERE log_id IS NOT NULL;
CREATE TABLE alert (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    raised_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    -- As in the contract, as JSON.
    record TEXT NOT NULL
  ) STRICT;
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
CREATE TABLE attempt_body (
    id INTEGER PRIMARY KEY REFERENCES attempt (id) ON DELETE CASCADE,
    request BLOB,
    response BLOB
  ) STRICT;
CREATE TABLE attempt_tally (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    attempts INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
CREATE TABLE damaged_file (
    path TEXT PRIMARY KEY,
    -- As in the contract, as JSON.
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE delivery_note (
    delivery_id INTEGER PRIMARY KEY REFERENCES delivery (id) ON DELETE CASCADE,
    note TEXT NOT NULL
  ) STRICT;
CREATE TABLE delivery_tag (
    tag TEXT NOT NULL,
    delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, delivery_id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE finding_kind (
    id INTEGER PRIMARY KEY,
    -- Empty: deliveries without a type. '*': after the maximum number of kinds, all types that are not in the API documentation.
    type TEXT NOT NULL,
    code TEXT NOT NULL,
    location TEXT NOT NULL,
    severity TEXT NOT NULL,
    UNIQUE (code, location, type)
  ) STRICT;
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
CREATE TABLE forward_skip (
    delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
    forward_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (delivery_id, forward_id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE health_cause (
    endpoint_id INTEGER NOT NULL,
    code TEXT NOT NULL,
    first_ms REAL NOT NULL,
    deliveries INTEGER NOT NULL,
    PRIMARY KEY (endpoint_id, code)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE health_hour (
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
    delay_0 INTEGER NOT NULL, delay_1 INTEGER NOT NULL, delay_2 INTEGER NOT NULL, delay_3 INTEGER NOT NULL, delay_4 INTEGER NOT NULL, delay_5 INTEGER NOT NULL, delay_6 INTEGER NOT NULL, delay_7 INTEGER NOT NULL, delay_8 INTEGER NOT NULL, delay_9 INTEGER NOT NULL, delay_10 INTEGER NOT NULL, delay_11 INTEGER NOT NULL, delay_12 INTEGER NOT NULL, delay_13 INTEGER NOT NULL, delay_14 INTEGER NOT NULL, delay_15 INTEGER NOT NULL, delay_16 INTEGER NOT NULL, delay_17 INTEGER NOT NULL,
    response_0 INTEGER NOT NULL, response_1 INTEGER NOT NULL, response_2 INTEGER NOT NULL, response_3 INTEGER NOT NULL, response_4 INTEGER NOT NULL, response_5 INTEGER NOT NULL, response_6 INTEGER NOT NULL, response_7 INTEGER NOT NULL, response_8 INTEGER NOT NULL, response_9 INTEGER NOT NULL, response_10 INTEGER NOT NULL, response_11 INTEGER NOT NULL, response_12 INTEGER NOT NULL, response_13 INTEGER NOT NULL, response_14 INTEGER NOT NULL,
    PRIMARY KEY (at, series_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE health_minute (
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
    delay_0 INTEGER NOT NULL, delay_1 INTEGER NOT NULL, delay_2 INTEGER NOT NULL, delay_3 INTEGER NOT NULL, delay_4 INTEGER NOT NULL, delay_5 INTEGER NOT NULL, delay_6 INTEGER NOT NULL, delay_7 INTEGER NOT NULL, delay_8 INTEGER NOT NULL, delay_9 INTEGER NOT NULL, delay_10 INTEGER NOT NULL, delay_11 INTEGER NOT NULL, delay_12 INTEGER NOT NULL, delay_13 INTEGER NOT NULL, delay_14 INTEGER NOT NULL, delay_15 INTEGER NOT NULL, delay_16 INTEGER NOT NULL, delay_17 INTEGER NOT NULL,
    response_0 INTEGER NOT NULL, response_1 INTEGER NOT NULL, response_2 INTEGER NOT NULL, response_3 INTEGER NOT NULL, response_4 INTEGER NOT NULL, response_5 INTEGER NOT NULL, response_6 INTEGER NOT NULL, response_7 INTEGER NOT NULL, response_8 INTEGER NOT NULL, response_9 INTEGER NOT NULL, response_10 INTEGER NOT NULL, response_11 INTEGER NOT NULL, response_12 INTEGER NOT NULL, response_13 INTEGER NOT NULL, response_14 INTEGER NOT NULL,
    PRIMARY KEY (at, series_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE health_running (
    since_ms INTEGER PRIMARY KEY,
    until_ms INTEGER NOT NULL,
    tunnel TEXT NOT NULL CHECK (tunnel IN ('open', 'closed', 'down')),
    relay_down INTEGER NOT NULL
  ) STRICT;
CREATE TABLE health_series (
    id INTEGER PRIMARY KEY,
    -- 0: the path belongs to no endpoint.
    endpoint_id INTEGER NOT NULL,
    -- Empty: none. '*': others.
    location TEXT NOT NULL,
    type TEXT NOT NULL,
    UNIQUE (endpoint_id, location, type)
  ) STRICT;
CREATE TABLE held_delivery (
    delivery_id INTEGER PRIMARY KEY REFERENCES delivery (id) ON DELETE CASCADE,
    held_ms INTEGER NOT NULL,
    releasing INTEGER NOT NULL DEFAULT 0,
    -- The edited request, without its body, as JSON; null: it was not edited.
    draft TEXT,
    -- Of the draft; null: as captured.
    body BLOB
  ) STRICT;
CREATE TABLE log_delivery (
    id INTEGER PRIMARY KEY,
    body_redacted INTEGER NOT NULL,
    -- Why the body is missing; null: it is present.
    omitted TEXT,
    -- Where it was not forwarded, and why: a JSON array of sentences.
    not_forwarded TEXT NOT NULL
  ) STRICT;
CREATE TABLE log_origin (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head TEXT NOT NULL,
    end_line TEXT
  ) STRICT;
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
CREATE TABLE payload_type (
    -- Empty: payloads without a type. '*': after the maximum number of types, all others that are not in the API documentation.
    type TEXT PRIMARY KEY,
    -- [path, state] of each, as JSON. Examples are masked.
    fields TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE relay_position (
    relay_id INTEGER NOT NULL,
    slug TEXT NOT NULL,
    -- Of the stream that was created then.
    stream_created TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (relay_id, slug)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE relay_source (
    relay_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    -- Messages of it that could not be read.
    skipped INTEGER NOT NULL DEFAULT 0
  ) STRICT;
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
CREATE TABLE sqlite_sequence(name,seq);
CREATE TRIGGER attempt_went AFTER DELETE ON attempt BEGIN
    UPDATE attempt_tally SET attempts = attempts - 1, bytes = bytes - old.stored_bytes;
  END;
