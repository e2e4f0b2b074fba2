<?php
// Prints the email addresses of the members of a team:
//   SERVICE_URL=https://auth.example.com TOKEN=… TEAM=acme php members.php

function read(string $url, int $attempt = 1): array {
    $headers = [];
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('TOKEN')],
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$headers): int {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
            return strlen($line);
        },
    ]);
    $body = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status === 200) {
        return json_decode($body, true);
    }
    $isTemporary = $status === 429 || $status >= 500;
    if (!$isTemporary || $attempt === 5) {
        fwrite(STDERR, "$status $body\n");
        exit(1);
    }
    sleep((int) ($headers['retry-after'] ?? 2 ** ($attempt - 1)));
    return read($url, $attempt + 1);
}

$url = getenv('SERVICE_URL') . '/api/v1/teams/' . getenv('TEAM') . '/members?per_page=100';
while ($url !== null) {
    ['data' => $members, 'links' => $links] = read($url);
    foreach ($members as $member) {
        echo $member['email'], "\n";
    }
    $url = $links['next'];
}
