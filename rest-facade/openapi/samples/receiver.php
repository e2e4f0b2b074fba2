<?php
// WEBHOOK_SECRET=whsec_… php -S localhost:4000 receiver.php

$secret = getenv('WEBHOOK_SECRET') ?: exit('Set WEBHOOK_SECRET.');
const TOLERANCE_SECONDS = 300;

/** Whether a delivery is signed with the secret and recent. The body is as it was received. */
function verify(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $mac = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    $expected = 'v1,' . base64_encode($mac);
    // After a rotation, there is a signature for each of the two secrets.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
if (!verify($secret, array_change_key_case(getallheaders()), $body)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
// An event can be delivered twice: ignore an id that you know.
error_log("{$event['id']} {$event['type']}");
http_response_code(204);
