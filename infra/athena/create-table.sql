-- Creates the table of the access log. Replace ACCESS_LOG_LOCATION by the output AccessLogLocation of the deployment.
-- Every value is text: CloudFront writes `-` for a missing number.
CREATE EXTERNAL TABLE IF NOT EXISTS access_log (
  `date` string,
  `time` string,
  x_edge_request_id string,
  cache_behavior_path_pattern string,
  cs_method string,
  sc_status string,
  sc_content_type string,
  sc_bytes string,
  time_taken string,
  time_to_first_byte string,
  origin_fbl string,
  x_edge_result_type string,
  x_edge_detailed_result_type string
)
PARTITIONED BY (log_hour string)
ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe'
WITH SERDEPROPERTIES (
  'mapping.x_edge_request_id' = 'x-edge-request-id',
  'mapping.cache_behavior_path_pattern' = 'cache-behavior-path-pattern',
  'mapping.cs_method' = 'cs-method',
  'mapping.sc_status' = 'sc-status',
  'mapping.sc_content_type' = 'sc-content-type',
  'mapping.sc_bytes' = 'sc-bytes',
  'mapping.time_taken' = 'time-taken',
  'mapping.time_to_first_byte' = 'time-to-first-byte',
  'mapping.origin_fbl' = 'origin-fbl',
  'mapping.x_edge_result_type' = 'x-edge-result-type',
  'mapping.x_edge_detailed_result_type' = 'x-edge-detailed-result-type'
)
LOCATION 'ACCESS_LOG_LOCATION/'
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.log_hour.type' = 'date',
  'projection.log_hour.format' = 'yyyy/MM/dd/HH',
  'projection.log_hour.range' = 'NOW-1YEARS,NOW',
  'projection.log_hour.interval' = '1',
  'projection.log_hour.interval.unit' = 'HOURS',
  'storage.location.template' = 'ACCESS_LOG_LOCATION/${log_hour}'
);
