<?php
// Connects an account to your app. Start it with `{{secretVariable}}php -S {{listen}} app.php`, then open {{startUrl}}
// {{origin}} must pass its requests to {{listen}}, where this program listens. {{remote}}
const SERVICE = '{{authUrl}}';
const CLIENT_ID = '{{clientId}}';
const REDIRECT_URI = '{{redirectUri}}';
const SCOPE = '{{scope}}';

function base64url(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function readJson(string $url, array $headers = [], ?array $form = null): array
{
    $http = ['method' => 'GET', 'ignore_errors' => true, 'header' => $headers];
    if ($form !== null) {
        $headers[] = 'Content-Type: application/x-www-form-urlencoded';
        $http = ['method' => 'POST', 'header' => $headers, 'content' => http_build_query($form)] + $http;
    }
    return json_decode(file_get_contents($url, false, stream_context_create(['http' => $http])), true);
}

$path = strtok($_SERVER['REQUEST_URI'], '?');
$isCallback = $path === '{{callbackPath}}' && isset($_GET['state']);
if (!$isCallback && $path !== '/') {
    http_response_code(404);
    exit;
}

// The session ties the response to this browser.
session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax']);

if (!$isCallback) {
    $_SESSION['state'] = base64url(random_bytes(32));
    $_SESSION['verifier'] = base64url(random_bytes(32));
    header('Location: ' . SERVICE . '/login/oauth/authorize?' . http_build_query([
        'response_type' => 'code',
        'client_id' => CLIENT_ID,
        'redirect_uri' => REDIRECT_URI,
        'scope' => SCOPE,
        'state' => $_SESSION['state'],
        'code_challenge' => base64url(hash('sha256', $_SESSION['verifier'], true)),
        'code_challenge_method' => 'S256',
    ]));
    exit;
}

if ($_GET['state'] !== ($_SESSION['state'] ?? null) || ($_GET['iss'] ?? '') !== SERVICE || !isset($_GET['code'])) {
    http_response_code(400);
    exit($_GET['error_description'] ?? $_GET['error'] ?? 'Start again.');
}
$headers = [];
$headers[] = 'Authorization: Basic ' . base64_encode(CLIENT_ID . ':' . getenv('CLIENT_SECRET')); // {{confidential}}
$tokens = readJson(SERVICE . '/api/oauth/token', $headers, [
    'grant_type' => 'authorization_code',
    'client_id' => CLIENT_ID,
    'code' => $_GET['code'],
    'redirect_uri' => REDIRECT_URI,
    'code_verifier' => $_SESSION['verifier'],
]);
if (!isset($tokens['access_token'])) {
    http_response_code(400);
    exit($tokens['error_description'] ?? 'The code was refused.');
}
header('Content-Type: application/json');
echo json_encode(readJson(SERVICE . '/api/v1/user', ['Authorization: Bearer ' . $tokens['access_token']]), JSON_PRETTY_PRINT);
