// ratios keep their digits
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x2","0x5",[25,75]]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x4","baseFeePerGas":["0x1","0x2","0x3"],"gasUsedRatio":[0.30000000000000004,1],"reward":[["0x0","0x1"],["0x0","0x1"]]}}
