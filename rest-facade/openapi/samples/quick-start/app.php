<?php
// Connects an account to your app. Start it with `php -S 127.0.0.1:8080 app.php` and open http://127.0.0.1:8080
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

// The session ties the answer to this browser.
session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax']);

if (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== parse_url(REDIRECT_URI, PHP_URL_PATH)) {
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

if (($_GET['state'] ?? '') !== ($_SESSION['state'] ?? null) || ($_GET['iss'] ?? '') !== SERVICE || !isset($_GET['code'])) {
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
echo json_encode(readJson(SERVICE . '/api/v1/user', ['Authorization: Bearer ' . $tokens['access_token']]), JSON_PRETTY_PRINT);
