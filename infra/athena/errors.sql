-- Who made the errors of the last 7 days: the edge function, CloudFront without an answer of an origin (a web ACL, a
-- limit, an origin that cannot be reached), or an origin: the HTTP API and the functions.
SELECT
  CASE
    WHEN x_edge_result_type LIKE 'Function%' OR x_edge_detailed_result_type LIKE 'Function%' THEN 'edge function'
    WHEN x_edge_detailed_result_type = 'OriginError' OR TRY_CAST(origin_fbl AS double) IS NOT NULL THEN 'origin'
    WHEN x_edge_result_type IN ('Hit', 'RefreshHit', 'OriginShieldHit') THEN 'cache'
    WHEN x_edge_detailed_result_type LIKE 'ClientComm%' OR x_edge_detailed_result_type LIKE 'ClientHungUp%' THEN 'caller'
    ELSE 'CloudFront'
  END AS layer,
  sc_status AS status,
  x_edge_detailed_result_type AS detail,
  cache_behavior_path_pattern AS route,
  count(*) AS requests,
  max("date" || ' ' || "time") AS latest
FROM access_log
WHERE log_hour >= date_format(current_timestamp - INTERVAL '7' DAY, '%Y/%m/%d/%H')
  AND (TRY_CAST(sc_status AS integer) >= 400 OR sc_status = '000')
GROUP BY 1, 2, 3, 4
ORDER BY requests DESC
LIMIT 100;
