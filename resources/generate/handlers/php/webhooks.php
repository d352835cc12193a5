<?php

declare(strict_types=1);

namespace Webhooks;

require __DIR__ . '/WebhookEvents.php';
require __DIR__ . '/EventHandlers.php';

const MAX_BYTES = 10 * 1024 * 1024;
const PROCESSED = __DIR__ . '/processed';

// Errors belong in the log, not in the response.
ini_set('display_errors', '0');
ini_set('log_errors', '1');

/** Verifies the bytes of a request as received. */
function isAuthentic(string $rawBody, string $signature): bool
{
    $secrets = array_filter([(string) getenv('WEBHOOK_SECRET'), (string) getenv('WEBHOOK_PREVIOUS_SECRET')]);
    foreach ($secrets as $secret) {
        // In constant time; false when the lengths differ.
        if (hash_equals(hash_hmac('sha256', $rawBody, $secret), $signature)) {
            return true;
        }
    }
    return false;
}

/** The file that says that an event was processed; null: there is one. */
function remember(WebhookEvent $event): ?string
{
    // There is no event ID. In production, use a table with a unique key instead of files.
    $target = $event->targetUuid ?? $event->targetId;
    $location = $event->locationUuid ?? $event->locationId;
    $key = hash('sha256', json_encode([$event->type(), $target, $location, $event->createdAt], JSON_THROW_ON_ERROR));
    @mkdir(PROCESSED);
    if (random_int(1, 1000) === 1) {
        foreach (glob(PROCESSED . '/*') as $file) {
            if (filemtime($file) < time() - 30 * 24 * 60 * 60) {
                @unlink($file);
            }
        }
    }
    $file = PROCESSED . "/$key";
    if (@fopen($file, 'x')) {
        return $file;
    }
    if (!file_exists($file)) {
        throw new \RuntimeException(PROCESSED . ' cannot be written.');
    }
    return null;
}

/** One at a time. In production, use a queue that survives a restart. */
function process(WebhookEvent $event, string $file): void
{
    $lock = fopen(__FILE__, 'r');
    flock($lock, LOCK_EX);
    $name = $event->type() . ' ' . ($event->targetUuid ?? $event->targetId);
    try {
        (new EventHandlers())->handle($event);
        error_log("Processed $name");
    } catch (\Throwable $error) {
        unlink($file); // It is processed if it is sent again.
        error_log("Failed to process $name: $error");
    }
}

if ((string) getenv('WEBHOOK_SECRET') === '') {
    error_log('Set WEBHOOK_SECRET.');
    http_response_code(500);
    exit;
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}
if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > MAX_BYTES) {
    http_response_code(413);
    exit;
}
$rawBody = (string) file_get_contents('php://input', length: MAX_BYTES + 1);
if (strlen($rawBody) > MAX_BYTES) {
    http_response_code(413);
    exit;
}
if (!isAuthentic($rawBody, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
$event = WebhookEvents::parse($rawBody);
if ($event === null) {
    http_response_code(400);
    exit;
}
if ($event instanceof UnknownEvent) {
    error_log('Ignored an event of the type ' . json_encode($event->type) . ': it is not known.');
    http_response_code(204);
    exit;
}
$file = remember($event);
http_response_code(204);
// The response is sent first.
function_exists('fastcgi_finish_request') ? fastcgi_finish_request() : flush();
if ($file !== null) {
    process($event, $file);
}
