// unknown: null is a result
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x0000000000000000000000000000000000000000000000000000000000000001"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
// too short: the node's own error
>> {"jsonrpc":"2.0","id":2,"method":"eth_getTransactionReceipt","params":["0x01"]}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 64 for common.Hash"}}
